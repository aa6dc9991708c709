"""What is wrong with a typed command, from what the device answered."""
