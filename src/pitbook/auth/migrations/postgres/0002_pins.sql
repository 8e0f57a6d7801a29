-- PINs with which people confirm that they are a witness; of a PIN only its hash is kept.

CREATE TABLE access_pins (
  person text COLLATE "C" PRIMARY KEY,
  hash text COLLATE "C" NOT NULL CHECK (hash LIKE '$argon2id$%'),
  at text COLLATE "C" NOT NULL
);
