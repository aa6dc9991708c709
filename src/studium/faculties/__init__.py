"""What can be asked of each faculty: plain functions that print nothing, for commands, pages, HTTP and assistants."""
