"""Settings: frozen values from studium.yaml, then STUDIUM_* variables, then flags; nothing is built here."""

from studium.settings.load import load_settings
from studium.settings.sections import ModelSettings, Settings

__all__ = ["ModelSettings", "Settings", "load_settings"]
