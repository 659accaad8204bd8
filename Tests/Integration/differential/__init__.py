"""Segue and a real MPD on the same music, asked the same things: every difference is a failure or in the list."""
