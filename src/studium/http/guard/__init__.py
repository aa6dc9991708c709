"""What stands at the door: addresses, tokens, how much may be brought, and what every answer says to the browser."""
