"""What music there is and what is known of it: sources, folders, pictures, measurements, the auto-DJ."""
