"""Questions: documents become validated question/answer sets."""
