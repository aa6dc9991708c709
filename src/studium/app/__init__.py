"""The one place that names concrete minds and stores and puts the house together."""
