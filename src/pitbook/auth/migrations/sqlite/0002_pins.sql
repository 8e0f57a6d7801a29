-- PINs with which people confirm that they are a witness; of a PIN only its hash is kept.

CREATE TABLE access_pins (
  person TEXT PRIMARY KEY,
  hash TEXT NOT NULL CHECK (hash LIKE '$argon2id$%'),
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
