"""People: their accounts, roles, limits and approvals, on the house's own record."""
