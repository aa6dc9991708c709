"""What a running configuration says, and what is wrong in it although the device took it."""
