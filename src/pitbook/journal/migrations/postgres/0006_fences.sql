-- The highest fence that has written to a table: a command under a lower one is refused. See Command.fence.
ALTER TABLE tables ADD COLUMN fence bigint NOT NULL DEFAULT 0;
