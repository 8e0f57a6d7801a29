-- The people behind the journal's pseudonyms. Deleting a row erases a person's names; the record stays as it is.

CREATE TABLE access_identities (
  person TEXT PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  sign_in TEXT NOT NULL,
  shown TEXT NOT NULL
) STRICT, WITHOUT ROWID;
