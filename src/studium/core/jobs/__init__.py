"""What stands behind HTTP, pages and assistants alike: orders, uploads, and what may be reached."""
