"""The program and the project around it: its life, its service, the desktop, moving in, releases, scripts."""
