-- States of tables, so that a restart is quick. They can be thrown away: the entries say it all.

CREATE TABLE snapshots (
  table_name TEXT NOT NULL,
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  head BLOB NOT NULL CHECK (length(head) = 32),
  content BLOB NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (table_name, sequence)
) STRICT;
