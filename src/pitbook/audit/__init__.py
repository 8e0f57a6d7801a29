"""The independent auditor: it proves a journal right or names the first entry that is wrong.

It shares no code with the engine, the table, the ledger and the journal: it imports only the standard library and the
database drivers. It reads the rulebooks' files itself and implements every rule on its own.
"""

from __future__ import annotations

from pitbook.audit.report import Finding, Report
from pitbook.audit.run import audit

__all__ = ["Finding", "Report", "audit"]
