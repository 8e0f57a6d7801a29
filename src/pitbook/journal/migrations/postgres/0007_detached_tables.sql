-- Tables whose record is in another file: an archive, or (in an archive) the journal that it was taken from. What stays is
-- the head of the record and, for each account, the highest sum and the final sum of what the table moved.

CREATE TABLE detached_tables (
  table_name text COLLATE "C" PRIMARY KEY,
  count bigint NOT NULL CHECK (count > 0),
  head bytea NOT NULL CHECK (length(head) = 32),
  at text NOT NULL,
  file text NOT NULL,
  moved bytea NOT NULL,
  signer text NOT NULL,
  signature bytea NOT NULL CHECK (length(signature) = 64)
);

CREATE FUNCTION detached_tables_end() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last record;
BEGIN
  SELECT sequence, hash INTO last FROM entries WHERE table_name = NEW.table_name ORDER BY sequence DESC LIMIT 1;
  IF FOUND AND (last.sequence <> NEW.count OR last.hash <> NEW.head) THEN
    RAISE EXCEPTION 'a table is detached at its last entry' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER detached_tables_end BEFORE INSERT ON detached_tables
  FOR EACH ROW EXECUTE FUNCTION detached_tables_end();
CREATE TRIGGER detached_tables_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON detached_tables
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
REVOKE UPDATE, DELETE, TRUNCATE ON detached_tables FROM PUBLIC, CURRENT_USER;

-- Only the record of a detached table can be deleted, and nothing can be added to it. The right to delete is granted in
-- the transaction that detaches a table, and revoked in it.
CREATE FUNCTION deleted_if_detached() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM detached_tables WHERE table_name = OLD.table_name) THEN
    RAISE EXCEPTION 'the journal is append-only' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN OLD;
END $$;
DROP TRIGGER entries_append_only ON entries;
DROP TRIGGER transfers_append_only ON transfers;
DROP TRIGGER postings_append_only ON postings;
CREATE TRIGGER entries_append_only BEFORE UPDATE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER postings_append_only BEFORE UPDATE OR TRUNCATE ON postings
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER entries_not_deleted BEFORE DELETE ON entries FOR EACH ROW EXECUTE FUNCTION deleted_if_detached();
CREATE TRIGGER transfers_not_deleted BEFORE DELETE ON transfers FOR EACH ROW EXECUTE FUNCTION deleted_if_detached();
CREATE TRIGGER postings_not_deleted BEFORE DELETE ON postings FOR EACH ROW EXECUTE FUNCTION deleted_if_detached();

CREATE FUNCTION entries_not_detached() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM detached_tables WHERE table_name = NEW.table_name) THEN
    RAISE EXCEPTION 'the record of the table is in another file' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER entries_not_detached BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION entries_not_detached();
