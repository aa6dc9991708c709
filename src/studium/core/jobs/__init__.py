"""Background jobs, uploads and allowed paths, for HTTP, pages and assistants."""
