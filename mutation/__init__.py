"""Mutation testing: change one thing in the code, run the tests that reach it, and see whether one of them fails.

`python3 dev.py mutate PACKAGE` runs it; CONTRIBUTING.md says how to read what it prints. The working tree is copied
first, and only the copy is ever changed.
"""
