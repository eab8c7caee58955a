"""Runs inside the user's Python, 3.9 or newer: the standard library and torch only, and nothing of fxgraph."""
