-- Second factors: secrets are sealed, recovery codes are hashed, and failed attempts are counted for all processes.

CREATE TABLE access_factors (
  id TEXT PRIMARY KEY,
  person TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('totp', 'passkey')),
  secret TEXT NOT NULL,
  credential TEXT UNIQUE,
  counter INTEGER NOT NULL,
  created TEXT NOT NULL,
  used TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX access_factors_of ON access_factors (person);

CREATE TABLE access_recovery_codes (
  person TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (person, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE access_factor_attempts (
  person TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  locked_until TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What a session was asked and must answer with: a challenge of a passkey, or a secret that is being set up.
CREATE TABLE access_challenges (
  session TEXT NOT NULL,
  purpose TEXT NOT NULL,
  value TEXT NOT NULL,
  expires TEXT NOT NULL,
  PRIMARY KEY (session, purpose)
) STRICT, WITHOUT ROWID;

-- When the second factor was last confirmed, when there was last input, and when the screen was locked by hand.
ALTER TABLE access_sessions ADD COLUMN factor_at TEXT;
ALTER TABLE access_sessions ADD COLUMN active TEXT;
ALTER TABLE access_sessions ADD COLUMN locked TEXT;
