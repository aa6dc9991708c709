"""The cards job: notes on disk, through the card graph, to Anki or a package; planned, applied, undone."""
