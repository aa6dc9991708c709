"""The one place that names concrete models and stores and puts the app together."""
