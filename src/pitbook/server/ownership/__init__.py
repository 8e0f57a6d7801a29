"""One owner process for each table, and the way of a command from the process that took it to the table's owner.

Owners make it quick; the journal alone makes it right. Reading order: owners, frames, listener, peers, router.
"""
