"""What the readers of HTML, EPUB and JATS share: parse a tree, and write it as a Markdown page."""
