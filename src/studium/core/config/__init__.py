"""Settings: frozen values from studium.yaml, then STUDIUM_* variables, then flags."""

from studium.core.config.loader import load_settings
from studium.core.config.settings import ModelSettings, Settings

__all__ = ["ModelSettings", "Settings", "load_settings"]
