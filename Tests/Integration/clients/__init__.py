"""The client matrix: programs that speak to MPD, driven against Segue."""
