-- What is secret or changes. Of secrets that are random only hashes are kept; moments are text that sorts.

CREATE TABLE access_passwords (
  person TEXT PRIMARY KEY,
  hash TEXT NOT NULL CHECK (hash LIKE '$argon2id$%'),
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE access_sessions (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  id TEXT NOT NULL UNIQUE,
  person TEXT NOT NULL,
  created TEXT NOT NULL,
  seen TEXT NOT NULL,
  idle_seconds REAL NOT NULL,
  idle_until TEXT NOT NULL,
  ends TEXT NOT NULL,
  address TEXT NOT NULL,
  agent TEXT NOT NULL,
  authenticated_by TEXT NOT NULL,
  CHECK (idle_until <= ends)
) STRICT, WITHOUT ROWID;

CREATE INDEX access_sessions_of ON access_sessions (person);

CREATE TABLE access_tokens (
  id TEXT PRIMARY KEY,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  person TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created TEXT NOT NULL,
  expires TEXT,
  last_used TEXT,
  revoked TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX access_tokens_of ON access_tokens (person);

CREATE TABLE access_links (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  purpose TEXT NOT NULL,
  person TEXT NOT NULL,
  expires TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE access_devices (
  person TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  at TEXT NOT NULL,
  PRIMARY KEY (person, hash)
) STRICT, WITHOUT ROWID;

-- Microseconds of the database's own clock. A row stays when its lease is released: its number must go on growing.
CREATE TABLE access_leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  fence INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE access_settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
