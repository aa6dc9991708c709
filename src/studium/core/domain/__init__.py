"""The words of the house: small frozen values, errors, and the ports that the other floors fill."""
