"""Attacks on the running program by clients, files, servers, stations, rooms and listeners."""
