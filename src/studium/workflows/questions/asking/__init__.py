"""The rules' questions: facts that safe patterns find in a document, each asked in the document's language."""
