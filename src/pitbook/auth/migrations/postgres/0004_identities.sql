-- The people behind the journal's pseudonyms. Deleting a row erases a person's names; the record stays as it is.

CREATE TABLE access_identities (
  person text COLLATE "C" PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE,
  sign_in text COLLATE "C" NOT NULL,
  shown text COLLATE "C" NOT NULL
);
