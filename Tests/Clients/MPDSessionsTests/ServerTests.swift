import Testing

/// Tests with sockets, one at a time: all servers of a process share one loop, and some tests load it heavily.
@Suite("The MPD server", .serialized)
enum ServerTests {}
