"""Devices that are reached by SSH."""
