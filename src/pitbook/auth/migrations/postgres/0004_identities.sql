-- Who is behind a pseudonym of the journal. Erasing a row leaves the record as it is, and nobody's name in it.

CREATE TABLE access_identities (
  person text COLLATE "C" PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE,
  sign_in text COLLATE "C" NOT NULL,
  shown text COLLATE "C" NOT NULL
);
