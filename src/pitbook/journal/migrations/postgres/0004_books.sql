-- The texts of books, by the digest that openings and entries name: a table runs under the text that it was opened with,
-- whatever the software or the house's folder says by then. Whoever has the digest can check the text.

CREATE TABLE books (
  digest text COLLATE "C" PRIMARY KEY CHECK (length(digest) = 64),
  content bytea NOT NULL
);

CREATE TRIGGER books_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON books
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
REVOKE UPDATE, DELETE, TRUNCATE ON books FROM PUBLIC, CURRENT_USER;
