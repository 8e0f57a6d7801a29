-- Second factors: secrets are sealed, recovery codes are hashed, and failed attempts are counted for all processes.

CREATE TABLE access_factors (
  id text COLLATE "C" PRIMARY KEY,
  person text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('totp', 'passkey')),
  secret text COLLATE "C" NOT NULL,
  credential text COLLATE "C" UNIQUE,
  counter bigint NOT NULL,
  created text COLLATE "C" NOT NULL,
  used text COLLATE "C"
);

CREATE INDEX access_factors_of ON access_factors (person);

CREATE TABLE access_recovery_codes (
  person text COLLATE "C" NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (person, hash)
);

CREATE TABLE access_factor_attempts (
  person text COLLATE "C" PRIMARY KEY,
  failures bigint NOT NULL,
  locked_until text COLLATE "C" NOT NULL
);

-- What a session was asked and must answer with: a challenge of a passkey, or a secret that is being set up.
CREATE TABLE access_challenges (
  session text COLLATE "C" NOT NULL,
  purpose text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  expires text COLLATE "C" NOT NULL,
  PRIMARY KEY (session, purpose)
);

-- When the second factor was last confirmed, when there was last input, and when the screen was locked by hand.
ALTER TABLE access_sessions ADD COLUMN factor_at text COLLATE "C";
ALTER TABLE access_sessions ADD COLUMN active text COLLATE "C";
ALTER TABLE access_sessions ADD COLUMN locked text COLLATE "C";
