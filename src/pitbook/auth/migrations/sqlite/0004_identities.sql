-- Who is behind a pseudonym of the journal. Erasing a row leaves the record as it is, and nobody's name in it.

CREATE TABLE access_identities (
  person TEXT PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  sign_in TEXT NOT NULL,
  shown TEXT NOT NULL
) STRICT, WITHOUT ROWID;
