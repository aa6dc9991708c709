"""What the tutor can look up: concepts, commands, error patterns, the lab's own pages, the user's documents."""
