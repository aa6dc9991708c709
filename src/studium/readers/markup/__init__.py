"""XML and HTML trees become Markdown-like text: parsing that nothing hostile gets through, and one writer for all."""
