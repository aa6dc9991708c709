"""Parse running configurations and find mistakes that the device accepted."""
