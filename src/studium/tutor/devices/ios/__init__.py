"""IOS in front of a router that speaks FRR: what the book says, typed as the book has it."""
