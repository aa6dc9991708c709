"""The public web: pages, and nothing that is not public."""
