-- Tables whose record is in another file: an archive, or (in an archive) the journal that it was taken from. What stays is
-- the head of the record and, for each account, the highest sum and the final sum of what the table moved.

CREATE TABLE detached_tables (
  table_name TEXT NOT NULL PRIMARY KEY,
  count INTEGER NOT NULL CHECK (count > 0),
  head BLOB NOT NULL CHECK (length(head) = 32),
  at TEXT NOT NULL,
  file TEXT NOT NULL,
  moved BLOB NOT NULL,
  signer TEXT NOT NULL,
  signature BLOB NOT NULL CHECK (length(signature) = 64)
) STRICT;

CREATE TRIGGER detached_tables_end BEFORE INSERT ON detached_tables BEGIN
  SELECT RAISE(ABORT, 'a table is detached once')
  WHERE EXISTS (SELECT 1 FROM detached_tables WHERE table_name = NEW.table_name);
  SELECT RAISE(ABORT, 'a table is detached at its last entry')
  WHERE EXISTS (SELECT 1 FROM entries WHERE table_name = NEW.table_name)
    AND NOT EXISTS (
      SELECT 1 FROM entries WHERE table_name = NEW.table_name AND sequence = NEW.count AND hash = NEW.head
        AND sequence = (SELECT max(sequence) FROM entries WHERE table_name = NEW.table_name));
END;
CREATE TRIGGER detached_tables_not_updated BEFORE UPDATE ON detached_tables BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER detached_tables_not_deleted BEFORE DELETE ON detached_tables BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

-- Only the record of a detached table can be deleted, and nothing can be added to it.
DROP TRIGGER entries_not_deleted;
DROP TRIGGER transfers_not_deleted;
DROP TRIGGER postings_not_deleted;
CREATE TRIGGER entries_not_deleted BEFORE DELETE ON entries
WHEN NOT EXISTS (SELECT 1 FROM detached_tables WHERE table_name = OLD.table_name)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER transfers_not_deleted BEFORE DELETE ON transfers
WHEN NOT EXISTS (SELECT 1 FROM detached_tables WHERE table_name = OLD.table_name)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER postings_not_deleted BEFORE DELETE ON postings
WHEN NOT EXISTS (SELECT 1 FROM detached_tables WHERE table_name = OLD.table_name)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entries_not_detached BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM detached_tables WHERE table_name = NEW.table_name)
BEGIN SELECT RAISE(ABORT, 'the record of the table is in another file'); END;
