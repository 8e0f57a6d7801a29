"""The independent auditor: it proves a journal right or names the first entry that is wrong.

It shares nothing with the engine, the table, the ledger and the journal: the standard library and the database drivers
are all that it imports. It reads the rulebooks' files itself and has its own idea of every rule.
"""

from __future__ import annotations

from pitbook.audit.report import Finding, Report
from pitbook.audit.run import audit

__all__ = ["Finding", "Report", "audit"]
