"""What is played and how it sounds: songs, discs, stations, broadcasts, transitions, partitions."""
