"""The servers behind Segue: songs, marks, plays and playlists both ways, and how they fail and come back."""
