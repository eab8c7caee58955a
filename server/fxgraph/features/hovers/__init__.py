"""The texts of hovers, one file by what is under the cursor. Each gives Markdown that is safe to show."""
