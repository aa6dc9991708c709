"""Judging a proposal by code: the critic's six points, refinement, a person's feedback, and drafts of relations."""
