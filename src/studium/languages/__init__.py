"""Languages: words, readings and scripts, one folder a language."""
