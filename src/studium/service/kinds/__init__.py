"""What can be ordered: one module a faculty, one kind a capability that takes its time."""
