"""The words of the app: small frozen values, errors, and the ports that the other floors fill."""
