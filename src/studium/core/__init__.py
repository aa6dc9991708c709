"""What every feature builds on."""
