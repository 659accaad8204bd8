"""Where the sound goes: devices, sound servers, streams, Snapcast, recordings, programs."""
