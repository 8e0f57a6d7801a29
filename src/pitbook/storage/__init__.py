"""Connections, schema and file locks for SQLite and PostgreSQL, shared by the journal and the auth store."""
