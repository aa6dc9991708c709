"""The six points of the critic's checklist, one module a point."""
