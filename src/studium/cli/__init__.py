"""The command line: parse, call, present."""
