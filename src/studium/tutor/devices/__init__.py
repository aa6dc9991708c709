"""Lab devices behind one interface: real routers, an IOS front end, transcripts."""
