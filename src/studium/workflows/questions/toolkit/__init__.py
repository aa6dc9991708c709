"""The tools with which a mind explores a document without having it all before its eyes."""
