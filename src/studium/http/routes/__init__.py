"""The routes: one module for each subject, each route a few lines."""
