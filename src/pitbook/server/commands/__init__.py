"""Commands on their way to a table: size limits, witnesses, approvals, submission."""
