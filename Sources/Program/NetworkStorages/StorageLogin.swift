import LibraryIndex

/// Answers what a server asks while its storage is mounted: the login of the address, once, and nothing else.
struct StorageLogin: Sendable {
    /// The parts of a login that can be asked for, by GIO's flags.
    struct Wanted: OptionSet, Sendable {
        let rawValue: UInt32
        static let password = Wanted(rawValue: 1 << 0)
        static let user = Wanted(rawValue: 1 << 1)
        static let domain = Wanted(rawValue: 1 << 2)
        static let anonymousIsPossible = Wanted(rawValue: 1 << 4)
    }

    enum Answer: Hashable, Sendable {
        /// Goes in without a login.
        case anonymous
        /// Logs in; what is nil stays as the server proposed it.
        case login(StorageAddress.Login)
        case abort
    }

    private let login: StorageAddress.Login
    private var answers = 0
    /// Why it was given up; nil while it wasn't.
    private(set) var failure: StorageFailure?

    init(_ login: StorageAddress.Login) { self.login = login }

    mutating func answer(_ wanted: Wanted) -> Answer {
        defer { answers += 1 }
        let canAnswer = login.password != nil || !wanted.contains(.password)
        if answers == 0 {
            if canAnswer { return .login(login) }
            if login.user == nil, wanted.contains(.anonymousIsPossible) { return .anonymous }
        }
        // The same answer would be refused again, without an end.
        failure = answers > 0 && canAnswer ? .refusedLogin : .needsLogin
        return .abort
    }

    /// Takes note of a question that only a person can answer, such as whether a certificate is right.
    mutating func abort(at question: String) { failure = .untrusted(question) }
}
