"""The kinds of files that may be brought, by their endings."""

DOCUMENTS = frozenset({"pdf", "md", "markdown", "txt", "html", "htm", "xhtml", "epub", "xml"})
QUOTES = frozenset({"md", "txt", "html", "csv", "annot", "json"})
SONGS = frozenset({"txt", "lrc", "mp3", "flac", "ogg", "opus", "m4a"})
KNOWN_WORDS = frozenset({"csv", "txt", "anki2"})
RECORDINGS = frozenset({"txt", "log", "json"})
CONFIGURATION = frozenset({"yaml", "yml", "jsonl"})

KINDS_OF_FILES = DOCUMENTS | QUOTES | SONGS | KNOWN_WORDS | RECORDINGS | CONFIGURATION
