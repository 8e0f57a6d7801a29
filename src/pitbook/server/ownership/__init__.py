"""Table ownership: one process owns each table, and the others forward its commands to that process.

Ownership is an optimisation; the journal alone ensures correctness. Reading order: owners, frames, listener, peers,
router.
"""
