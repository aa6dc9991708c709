"""What was typed at devices, read from recordings, lists and bare histories."""
