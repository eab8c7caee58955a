"""What watches a user's script from inside its own process: see `start.py`."""
