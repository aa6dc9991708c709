"""Studium for assistants that speak the Model Context Protocol: tools, resources and prompts."""
