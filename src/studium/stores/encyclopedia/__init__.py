"""What an encyclopedia says about authors, asked over the network only where the user has switched it on."""
