-- Entries, the money they move, and what accounts hold; the same as for SQLite, in PostgreSQL's words.
--
-- Written from the inside out: postings, then the transfer that seals them, then the entry that seals its transfers and
-- moves the balances. Deferred triggers (foreign keys would need the right to update) let nothing be committed unsealed.

-- A command locks its table's row here: the database is the referee between processes.
CREATE TABLE tables (name text PRIMARY KEY);

CREATE TABLE entries (
  table_name text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL CHECK (sequence > 0),
  kind text NOT NULL,
  body bytea NOT NULL,
  actor text NOT NULL,
  role text NOT NULL,
  at text NOT NULL,
  key text COLLATE "C",
  request bytea,
  answer bytea,
  book text NOT NULL,
  throw bigint,
  before bytea NOT NULL CHECK (length(before) = 32),
  hash bytea NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (table_name, sequence),
  CHECK ((key IS NULL) = (request IS NULL))
);

CREATE UNIQUE INDEX one_entry_per_key ON entries (table_name, key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX one_outcome_per_throw ON entries (table_name, throw) WHERE throw IS NOT NULL;

CREATE TABLE transfers (
  table_name text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  transfer integer NOT NULL CHECK (transfer > 0),
  why text NOT NULL,
  PRIMARY KEY (table_name, sequence, transfer)
);

CREATE TABLE postings (
  table_name text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  transfer integer NOT NULL,
  leg integer NOT NULL CHECK (leg > 0),
  account text COLLATE "C" NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (table_name, sequence, transfer, leg)
);

-- The same accounts as ledger.accounts.NEVER_NEGATIVE; a test compares them.
CREATE TABLE balances (
  account text COLLATE "C" PRIMARY KEY,
  balance bigint NOT NULL CHECK (
    balance >= 0
    OR NOT (account LIKE 'player:%' OR account LIKE 'escrow:%' OR account LIKE 'dealers:%' OR account LIKE 'drop:%')
  )
) WITH (fillfactor = 70);

CREATE FUNCTION entries_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last record;
BEGIN
  SELECT sequence, hash INTO last FROM entries WHERE table_name = NEW.table_name ORDER BY sequence DESC LIMIT 1;
  IF NEW.sequence <> coalesce(last.sequence, 0) + 1
     OR NEW.before <> coalesce(last.hash, decode(repeat('00', 32), 'hex')) THEN
    RAISE EXCEPTION 'an entry must follow the last one of its table' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER entries_follow BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION entries_follow();

-- Accounts are locked in sorted order, as everywhere.
CREATE FUNCTION entries_move_money() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved record;
BEGIN
  FOR moved IN
    SELECT account, sum(amount)::bigint AS amount FROM postings
    WHERE table_name = NEW.table_name AND sequence = NEW.sequence GROUP BY account ORDER BY account
  LOOP
    UPDATE balances SET balance = balance + moved.amount WHERE account = moved.account;
    IF NOT FOUND THEN
      INSERT INTO balances (account, balance) VALUES (moved.account, 0) ON CONFLICT DO NOTHING;
      UPDATE balances SET balance = balance + moved.amount WHERE account = moved.account;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER entries_move_money AFTER INSERT ON entries FOR EACH ROW EXECUTE FUNCTION entries_move_money();

CREATE FUNCTION transfers_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM entries WHERE table_name = NEW.table_name AND sequence = NEW.sequence) THEN
    RAISE EXCEPTION 'the entry is sealed: its transfers are complete' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (SELECT count(*) < 2 OR sum(amount) <> 0 FROM postings
      WHERE table_name = NEW.table_name AND sequence = NEW.sequence AND transfer = NEW.transfer) THEN
    RAISE EXCEPTION 'the legs of a transfer are two or more, and sum to nothing'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER transfers_sealed BEFORE INSERT ON transfers FOR EACH ROW EXECUTE FUNCTION transfers_sealed();

CREATE FUNCTION postings_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM transfers
             WHERE table_name = NEW.table_name AND sequence = NEW.sequence AND transfer = NEW.transfer) THEN
    RAISE EXCEPTION 'the transfer is sealed: its legs are complete' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER postings_sealed BEFORE INSERT ON postings FOR EACH ROW EXECUTE FUNCTION postings_sealed();

CREATE FUNCTION transfers_belong() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM entries WHERE table_name = NEW.table_name AND sequence = NEW.sequence) THEN
    RAISE EXCEPTION 'a transfer needs its entry' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER transfers_belong AFTER INSERT ON transfers
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION transfers_belong();

CREATE FUNCTION postings_belong() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM transfers
                 WHERE table_name = NEW.table_name AND sequence = NEW.sequence AND transfer = NEW.transfer) THEN
    RAISE EXCEPTION 'a posting needs its transfer' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER postings_belong AFTER INSERT ON postings
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION postings_belong();

CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the journal is append-only' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER balances_stay BEFORE DELETE OR TRUNCATE ON balances
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Twice: whoever drops the triggers still lacks the right, and the other way round.
REVOKE UPDATE, DELETE, TRUNCATE ON entries, transfers, postings FROM PUBLIC, CURRENT_USER;
REVOKE DELETE, TRUNCATE ON balances FROM PUBLIC, CURRENT_USER;
