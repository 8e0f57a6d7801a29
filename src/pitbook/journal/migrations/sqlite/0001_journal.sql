-- Entries, the money they move, and what accounts hold.
--
-- Written from the inside out: postings, then the transfer that seals them, then the entry that seals its transfers and
-- moves the balances. The deferred references let nothing be committed unsealed.

CREATE TABLE entries (
  table_name TEXT NOT NULL,
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  kind TEXT NOT NULL,
  body BLOB NOT NULL,
  actor TEXT NOT NULL,
  role TEXT NOT NULL,
  at TEXT NOT NULL,
  key TEXT,
  request BLOB,
  answer BLOB,
  book TEXT NOT NULL,
  throw INTEGER,
  before BLOB NOT NULL CHECK (length(before) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (table_name, sequence),
  CHECK ((key IS NULL) = (request IS NULL))
) STRICT;

CREATE UNIQUE INDEX one_entry_per_key ON entries (table_name, key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX one_outcome_per_throw ON entries (table_name, throw) WHERE throw IS NOT NULL;

CREATE TABLE transfers (
  table_name TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  transfer INTEGER NOT NULL CHECK (transfer > 0),
  why TEXT NOT NULL,
  PRIMARY KEY (table_name, sequence, transfer),
  FOREIGN KEY (table_name, sequence) REFERENCES entries DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

CREATE TABLE postings (
  table_name TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  transfer INTEGER NOT NULL,
  leg INTEGER NOT NULL CHECK (leg > 0),
  account TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (table_name, sequence, transfer, leg),
  FOREIGN KEY (table_name, sequence, transfer) REFERENCES transfers DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

-- The same accounts as ledger.accounts.NEVER_NEGATIVE; a test compares them.
CREATE TABLE balances (
  account TEXT NOT NULL PRIMARY KEY,
  balance INTEGER NOT NULL CHECK (
    balance >= 0
    OR NOT (account GLOB 'player:*' OR account GLOB 'escrow:*' OR account GLOB 'dealers:*' OR account GLOB 'drop:*')
  )
) STRICT, WITHOUT ROWID;

-- Keys and throws are looked up here too: INSERT OR REPLACE would delete the older row without a word.
CREATE TRIGGER entries_follow BEFORE INSERT ON entries BEGIN
  SELECT RAISE(ABORT, 'an entry must follow the last one of its table')
  WHERE NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM entries WHERE table_name = NEW.table_name), 0)
     OR NEW.before <> coalesce(
          (SELECT hash FROM entries WHERE table_name = NEW.table_name AND sequence = NEW.sequence - 1), zeroblob(32));
  SELECT RAISE(ABORT, 'the key has been used')
  WHERE NEW.key IS NOT NULL AND EXISTS (SELECT 1 FROM entries WHERE table_name = NEW.table_name AND key = NEW.key);
  SELECT RAISE(ABORT, 'the throw has an outcome')
  WHERE NEW.throw IS NOT NULL AND EXISTS (SELECT 1 FROM entries WHERE table_name = NEW.table_name AND throw = NEW.throw);
END;

CREATE TRIGGER entries_move_money AFTER INSERT ON entries
WHEN EXISTS (SELECT 1 FROM postings WHERE table_name = NEW.table_name AND sequence = NEW.sequence) BEGIN
  INSERT INTO balances (account, balance)
  SELECT DISTINCT account, 0 FROM postings WHERE table_name = NEW.table_name AND sequence = NEW.sequence
  ON CONFLICT DO NOTHING;
  UPDATE balances SET balance = balance + moved.amount
  FROM (
    SELECT account, sum(amount) AS amount FROM postings
    WHERE table_name = NEW.table_name AND sequence = NEW.sequence GROUP BY account
  ) AS moved
  WHERE balances.account = moved.account;
END;

CREATE TRIGGER transfers_sealed BEFORE INSERT ON transfers BEGIN
  SELECT RAISE(ABORT, 'the entry is sealed: its transfers are complete')
  WHERE EXISTS (SELECT 1 FROM entries WHERE table_name = NEW.table_name AND sequence = NEW.sequence)
     OR EXISTS (SELECT 1 FROM transfers
                WHERE table_name = NEW.table_name AND sequence = NEW.sequence AND transfer = NEW.transfer);
  SELECT RAISE(ABORT, 'the legs of a transfer are two or more, and sum to nothing')
  WHERE (SELECT count(*) < 2 OR sum(amount) <> 0 FROM postings
         WHERE table_name = NEW.table_name AND sequence = NEW.sequence AND transfer = NEW.transfer);
END;

CREATE TRIGGER postings_sealed BEFORE INSERT ON postings BEGIN
  SELECT RAISE(ABORT, 'the transfer is sealed: its legs are complete')
  WHERE EXISTS (SELECT 1 FROM transfers
                WHERE table_name = NEW.table_name AND sequence = NEW.sequence AND transfer = NEW.transfer)
     OR EXISTS (SELECT 1 FROM postings
                WHERE table_name = NEW.table_name AND sequence = NEW.sequence AND transfer = NEW.transfer
                  AND leg = NEW.leg);
END;

CREATE TRIGGER entries_not_updated BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entries_not_deleted BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER transfers_not_updated BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER transfers_not_deleted BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER postings_not_updated BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER postings_not_deleted BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER balances_not_deleted BEFORE DELETE ON balances BEGIN SELECT RAISE(ABORT, 'accounts stay'); END;
