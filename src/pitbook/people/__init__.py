"""Accounts, roles, limits and approvals: a pure domain whose events are in the house's own stream. No secrets.

Reading order: names, values, state, commands, events, refusals, then limits, evolve, decide, event_text.
"""
