"""Runs a job on the workers of a Dask cluster, which keep to one ledger and to its limits together."""
