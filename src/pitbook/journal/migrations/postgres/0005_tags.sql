-- Names that fit whatever is recorded. An entry may carry a number by which it is found (its tag) and the digest of the
-- attachment that it was written under. Only names change: what is stored and hashed stays as it is.

ALTER TABLE entries RENAME COLUMN book TO attachment;
ALTER TABLE entries RENAME COLUMN throw TO tag;
ALTER INDEX one_outcome_per_throw RENAME TO one_entry_per_tag;

ALTER TABLE books RENAME TO attachments;
ALTER INDEX books_pkey RENAME TO attachments_pkey;
ALTER TRIGGER books_append_only ON attachments RENAME TO attachments_append_only;
