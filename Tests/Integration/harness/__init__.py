"""What the integration tests run things with: music, servers, terminals and clients, all real."""
