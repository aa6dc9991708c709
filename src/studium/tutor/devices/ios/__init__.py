"""An IOS command line in front of an FRR router."""
