"""The second engine: it sees a question alone, looks for what the document says about it, and answers from there."""
