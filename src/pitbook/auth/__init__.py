"""Secrets and short-lived state, stored beside the journal: passwords, second factors, sessions, tokens, links, leases.

Reading order: errors, timestamps, secrets, port; sessions, tokens, links, leases, factors, store; the two databases,
stores.
Independent of them: passwords, totp, policy, throttle.
"""
