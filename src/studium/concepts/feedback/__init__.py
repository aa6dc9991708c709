"""What a person asks for in plain words, put into changes."""
