"""Accounts, roles, limits and approvals: a pure domain whose events stand in the house's own sequence. No secrets.

Reading order: names, values, state, commands, events, refusals, then limits, evolve, decide, telling.
"""
