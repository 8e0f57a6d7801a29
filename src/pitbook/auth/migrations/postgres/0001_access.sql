-- What is secret or changes, beside the journal; the same as for SQLite, in PostgreSQL's words.
-- Of secrets that are random only hashes are kept; moments are text that sorts, in this collation.

CREATE TABLE access_passwords (
  person text COLLATE "C" PRIMARY KEY,
  hash text COLLATE "C" NOT NULL CHECK (hash LIKE '$argon2id$%'),
  at text COLLATE "C" NOT NULL
);

CREATE TABLE access_sessions (
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  id text COLLATE "C" NOT NULL UNIQUE,
  person text COLLATE "C" NOT NULL,
  created text COLLATE "C" NOT NULL,
  seen text COLLATE "C" NOT NULL,
  idle_seconds double precision NOT NULL,
  idle_until text COLLATE "C" NOT NULL,
  ends text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  authenticated_by text COLLATE "C" NOT NULL,
  CHECK (idle_until <= ends)
);

CREATE INDEX access_sessions_of ON access_sessions (person);

CREATE TABLE access_tokens (
  id text COLLATE "C" PRIMARY KEY,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  person text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  scopes text COLLATE "C" NOT NULL,
  created text COLLATE "C" NOT NULL,
  expires text COLLATE "C",
  last_used text COLLATE "C",
  revoked text COLLATE "C"
);

CREATE INDEX access_tokens_of ON access_tokens (person);

CREATE TABLE access_links (
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  purpose text COLLATE "C" NOT NULL,
  person text COLLATE "C" NOT NULL,
  expires text COLLATE "C" NOT NULL
);

CREATE TABLE access_devices (
  person text COLLATE "C" NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  at text COLLATE "C" NOT NULL,
  PRIMARY KEY (person, hash)
);

-- Microseconds of the database's own clock. A row stays when its lease is released: its number must go on growing.
CREATE TABLE access_leases (
  name text COLLATE "C" PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  fence bigint NOT NULL,
  until bigint NOT NULL
);

CREATE TABLE access_settings (
  key text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);
