"""The IOS command line: its commands, arguments, modes, addresses and interface names."""
