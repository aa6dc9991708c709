"""What stands behind HTTP, pages and assistants alike: jobs, uploads, and what may be reached."""
