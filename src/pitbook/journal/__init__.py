"""Append-only event store with hash-chained entries and double-entry transfers, on SQLite or PostgreSQL.

Reading order: entries, chain, decisions, errors, port, the two stores, and the runner on top of them.
"""
