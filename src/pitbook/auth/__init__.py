"""Secrets and short-lived state beside the journal: passwords, sessions, tokens, one-time links, leases.

Reading order: troubles, moments, secrecy, port, then what is kept (sessions, tokens, links, leases, keeping), the two
databases, stores. Apart from them: passwords, policy, throttle.
"""
