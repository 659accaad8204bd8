import Foundation
import SegueConfiguration
import ServiceLifecycle
import ServiceManager
import Subsonic
import Synchronization

/// A configuration without anything to play from, or without the login for its server.
struct MissingSource {
    /// The cause and the cure, in a sentence for a person.
    let advice: String

    /// Finds out what is missing; nil when nothing is.
    init?(_ configuration: Configuration, state: StateDirectory) {
        if let navidrome = configuration.navidrome {
            do {
                _ = try SubsonicSettings(navidrome, state: state)
                return nil
            } catch {
                advice = (error as? CommandFailure)?.message ?? "\(error)"
            }
        } else if configuration.local == nil {
            advice =
                "There is nothing to play yet: run `segue login URL USER` with your Navidrome's address and your name, "
                + "or add [local] with music_directory to the configuration. Segue waits for it."
        } else {
            return nil
        }
    }
}

/// The part that waits until a server that started without its source has one, and then ends the others.
final class SourceWait: Service, Sendable {
    private let directory: StateDirectory
    private let reload: @Sendable () -> Configuration?
    private let isFound = Atomic(false)

    /// A login is typed in by a person, who can wait so long.
    private static let interval = Duration.seconds(1)

    /// Waits for what is missing to be there; `reload` reads the configuration, nil while that fails.
    init(directory: StateDirectory, reload: @escaping @Sendable () -> Configuration?) {
        self.directory = directory
        self.reload = reload
    }

    /// Whether the source was found; false when the server was ended before.
    var isOver: Bool { isFound.load(ordering: .acquiring) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil {
                guard let configuration = self.reload(),
                    MissingSource(configuration, state: self.directory) == nil
                else { continue }
                return self.isFound.store(true, ordering: .releasing)
            }
        }
    }
}

/// Runs the program anew in its own process.
enum ProcessReplacement {
    /// Replaces the program by itself with the same arguments; everything must be closed and saved before.
    ///
    /// A supervisor such as systemd sees no end and no start.
    /// - Parameter inherited: the service manager's sockets, which the new program takes over as this one did.
    /// - Returns: the failure; it comes back only then.
    static func replace(passingOn inherited: [InheritedSocket]) -> CommandFailure {
        // Clients' sockets and the like must not be held open by a program that knows nothing of them.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        for socket in inherited { socket.passOn() }
        return begin()
    }

    /// Runs the program anew with the same arguments and descriptors.
    ///
    /// - Returns: the failure; it comes back only then.
    static func begin() -> CommandFailure {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        execv("/proc/self/exe", CommandLine.unsafeArgv)
        return CommandFailure("can't start anew: \(String(cString: strerror(errno))). Start `segue serve` again.")
    }
}
