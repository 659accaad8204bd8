import Coordination
import MusicModel
package import NetworkAddresses

/// Which server to talk to, and as whom.
///
/// Its description names neither the credential nor the user.
package struct SubsonicSettings: Sendable, CustomStringConvertible, CustomReflectable {
    /// The proof of the user's identity.
    package enum Credential: Sendable, CustomStringConvertible, CustomReflectable {
        /// The password itself; sent as salt and token, or hex-encoded to servers that know no tokens.
        case password(String)
        /// `md5(password + salt)` with its salt, as `segue login` keeps them.
        case token(salt: String, token: String)

        /// Which kind it is, without any of its text.
        package var description: String {
            switch self {
            case .password: "password"
            case .token: "token"
            }
        }
        /// Nothing, so that `dump` shows nothing either.
        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// How long to wait.
    package struct Timeouts: Sendable {
        let connect, answer, idle, doubt: Duration

        /// Collects the times for a connection, for the first line of an answer, between two pieces of its body, and
        /// until a call without an answer makes the server itself doubtful; the smallest call has as long then.
        package init(
            connect: Duration = .seconds(5), answer: Duration = .seconds(60), idle: Duration = .seconds(30),
            doubt: Duration = .seconds(5)
        ) {
            (self.connect, self.answer, self.idle, self.doubt) = (connect, answer, idle, doubt)
        }
    }

    /// How calls that may be repeated are repeated.
    package struct Retries: Sendable {
        let count: Int
        let firstDelay, maxDelay: Duration

        /// Collects how often at most, after the first attempt; the pause before the first repetition, which is doubled
        /// for each further one and varied by a random part; and the longest pause, also when the server asks for a
        /// longer one.
        package init(
            count: Int = 2, firstDelay: Duration = .milliseconds(300), maxDelay: Duration = .seconds(20)
        ) {
            (self.count, self.firstDelay, self.maxDelay) = (count, firstDelay, maxDelay)
        }
    }

    /// The server's address, `http://` or `https://` with an optional path; no user, query or fragment.
    package var url: String
    /// The user's name.
    package var username: String
    /// The proof of the user's identity.
    package var credential: Credential
    /// How we introduce ourselves; servers show it among the players.
    package var clientName: String
    /// How long to wait for answers.
    package var timeouts: Timeouts
    /// How calls that may be repeated are repeated.
    package var retries: Retries
    /// The proxy through which the server is asked, unless that leaves its host out.
    package var proxy: WebProxy?
    /// Headers of every request, for a proxy before the server; their values are secret.
    package var headers: [(name: String, value: String)] = []
    /// The address of another host from which the server has its songs and pictures fetched, without the login.
    ///
    /// Throws `SubsonicError` for one that may not be asked.
    package var placeOfMedia: @Sendable (_ host: String) async throws -> String = { host in
        throw SubsonicError(
            .redirected, "The server redirects its files to \(host.quotable(utf8: 200)), which is not allowed.")
    }
    /// The file of certificates that are trusted in addition to those of the system; nil without one.
    package var certificate: String?

    /// Collects what is needed.
    package init(
        url: String, username: String, credential: Credential, clientName: String = "segue",
        timeouts: Timeouts = Timeouts(), retries: Retries = Retries()
    ) {
        (self.url, self.username, self.credential) = (url, username, credential)
        (self.clientName, self.timeouts, self.retries) = (clientName, timeouts, retries)
    }

    /// How Segue introduces itself from a machine: servers know what each of its clients plays by their names.
    /// - Parameter folder: its state directory, which tells it from others on the machine unless it is the usual one.
    package static func clientName(on host: String, stateDirectory folder: String) -> String {
        let label = host.prefix { $0 != "." }.prefix(32)
        let name = label.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        let machine = name.isEmpty || name == "localhost" ? "segue" : "segue-\(name)"
        guard folder != "/var/lib/segue", !folder.hasSuffix("/.local/state/segue") else { return machine }
        var hash = FNV1a()
        hash.combine(folder)
        return machine + "-" + String(0x1_0000 | hash.folded & 0xFFFF, radix: 16).dropFirst()
    }

    /// How a room of it introduces itself; servers keep every name, so there is an end to them.
    func clientName(of room: Int) -> String { (2...32).contains(room) ? "\(clientName)-\(room)" : clientName }

    /// The server's host and the kind of credential.
    package var description: String {
        let host = ServerAddress(url)?.shown ?? "invalid address"
        return "SubsonicSettings(\(host), \(credential))"
    }
    /// Nothing, so that `dump` shows nothing either.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
