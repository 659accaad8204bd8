"""What every client of the MPD port meets: commands, bad input, passwords, encryption."""
