"""Labs that run, students that are remembered, and conversations about both."""
