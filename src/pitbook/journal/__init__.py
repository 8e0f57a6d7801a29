"""The journal: what happened, in order, chained by hashes, with the money it moved; on SQLite or PostgreSQL.

Reading order: entries, chain, decisions, troubles, port, then the two stores, then the runner above them.
"""
