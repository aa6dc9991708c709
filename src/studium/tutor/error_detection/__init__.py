"""Explain what is wrong with a typed command from the device's output."""
