-- Names that fit whatever is recorded. An entry may carry a number by which it is found (its tag) and the digest of the
-- attachment that it was written under. Only names change: what is stored and hashed stays as it is.

DROP TRIGGER entries_follow;
DROP INDEX one_outcome_per_throw;
ALTER TABLE entries RENAME COLUMN book TO attachment;
ALTER TABLE entries RENAME COLUMN throw TO tag;
CREATE UNIQUE INDEX one_entry_per_tag ON entries (table_name, tag) WHERE tag IS NOT NULL;

-- Keys and tags are looked up here too: INSERT OR REPLACE would delete the older row without a word.
CREATE TRIGGER entries_follow BEFORE INSERT ON entries BEGIN
  SELECT RAISE(ABORT, 'an entry must follow the last one of its table')
  WHERE NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM entries WHERE table_name = NEW.table_name), 0)
     OR NEW.before <> coalesce(
          (SELECT hash FROM entries WHERE table_name = NEW.table_name AND sequence = NEW.sequence - 1), zeroblob(32));
  SELECT RAISE(ABORT, 'the key has been used')
  WHERE NEW.key IS NOT NULL AND EXISTS (SELECT 1 FROM entries WHERE table_name = NEW.table_name AND key = NEW.key);
  SELECT RAISE(ABORT, 'the tag has been used')
  WHERE NEW.tag IS NOT NULL AND EXISTS (SELECT 1 FROM entries WHERE table_name = NEW.table_name AND tag = NEW.tag);
END;

DROP TRIGGER books_not_updated;
DROP TRIGGER books_not_deleted;
ALTER TABLE books RENAME TO attachments;
CREATE TRIGGER attachments_not_updated BEFORE UPDATE ON attachments BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER attachments_not_deleted BEFORE DELETE ON attachments BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
