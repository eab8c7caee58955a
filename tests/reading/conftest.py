import pytest

# their assertions tell what differs, as those of tests do
pytest.register_assert_rewrite("reading.checks", "reading.invariants")
