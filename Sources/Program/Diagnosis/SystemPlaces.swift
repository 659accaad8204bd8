/// Where the system says things about itself.
package struct SystemPlaces: Sendable {
    /// The kernel's view of processes and sockets.
    package var processes = "/proc"
    /// Sockets of services.
    package var services = "/run"
    /// The devices of sound cards.
    package var soundDevices = "/dev/snd"
    /// Programs and their data.
    package var programs = "/usr"
    /// The environment's variables.
    package var environment: [String: String]

    /// The places of a running Linux.
    package init(environment: [String: String]) { self.environment = environment }
}
