"""New error patterns, proposed from what devices said to students."""
