-- States of tables, so that a restart is quick. They can be thrown away: the entries say it all.

CREATE TABLE snapshots (
  table_name text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL CHECK (sequence > 0),
  head bytea NOT NULL CHECK (length(head) = 32),
  content bytea NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (table_name, sequence)
);
