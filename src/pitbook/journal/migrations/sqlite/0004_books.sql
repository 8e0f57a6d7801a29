-- The texts of books, by the digest that openings and entries name: a table runs under the text that it was opened with,
-- whatever the software or the house's folder says by then. Whoever has the digest can check the text.

CREATE TABLE books (
  digest TEXT NOT NULL PRIMARY KEY CHECK (length(digest) = 64),
  content BLOB NOT NULL
) STRICT;

CREATE TRIGGER books_not_updated BEFORE UPDATE ON books BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER books_not_deleted BEFORE DELETE ON books BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
