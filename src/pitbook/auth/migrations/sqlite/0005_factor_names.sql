-- What a person under a pseudonym calls a second factor; null where the journal has the name.
ALTER TABLE access_factors ADD COLUMN name TEXT;
