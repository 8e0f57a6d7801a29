"""Secrets and short-lived state, stored beside the journal: passwords, sessions, tokens, one-time links, leases.

Reading order: errors, timestamps, secrets, port; sessions, tokens, links, leases, store; the two databases, stores.
Independent of them: passwords, policy, throttle.
"""
