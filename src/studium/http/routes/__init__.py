"""The routes: one module a subject, each route a few lines."""
