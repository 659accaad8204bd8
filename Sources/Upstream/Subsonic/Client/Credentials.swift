import Crypto
import Foundation
import MusicModel

/// Turns the credential into parameters, and keeps it out of texts.
struct Credentials: Sendable {
    /// How the credential is sent.
    enum Form: Hashable, Sendable {
        /// `t` and `s`: the usual way.
        case token
        /// `p=enc:` with the password in hexadecimal, for servers from before tokens.
        case encodedPassword
    }

    /// True if the password itself is known, so that it could be sent in another form.
    let knowsPassword: Bool
    private let username: String
    private let password: String
    private let salt: String
    private let token: String
    private let others: [String]

    init(_ settings: SubsonicSettings) {
        username = settings.username
        others = settings.headers.map(\.value)
        switch settings.credential {
        case .password(let password):
            let salt = Self.freshSalt()
            self.password = password
            self.salt = salt
            token = Self.token(password: password, salt: salt)
            knowsPassword = true
        case .token(let salt, let token):
            password = ""
            self.salt = salt
            self.token = token
            knowsPassword = false
        }
    }

    /// The parameters that identify us.
    func parameters(_ form: Form) -> [(name: String, value: String)] {
        switch form {
        case .token: [("u", username), ("t", token), ("s", salt)]
        case .encodedPassword: [("u", username), ("p", "enc:" + password.utf8.hexadecimal)]
        }
    }

    /// Name and password as Navidrome's own sign-in wants them; nil where only a token is known.
    var signInBody: [UInt8]? {
        guard knowsPassword else { return nil }
        return (try? JSONEncoder().encode(["username": username, "password": password])).map { Array($0) }
    }

    /// A server's text, made fit for a log: one line, not long, and nothing at all where it repeats what is secret.
    func presentable(_ text: String) -> String? {
        let hidden = [username, password, password.utf8.hexadecimal, salt, token] + others
        if hidden.contains(where: { !$0.isEmpty && text.contains($0) }) { return nil }
        let line = String(text.quotable(utf8: 400).prefix(200))
        return line.isEmpty ? nil : line
    }

    static func freshSalt() -> String { (0..<8).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal }

    /// `md5(password + salt)` in hexadecimal.
    static func token(password: String, salt: String) -> String {
        Insecure.MD5.hash(data: Array((password + salt).utf8)).hexadecimal
    }
}

extension SubsonicSettings {
    /// The salt and token for a password, with a fresh salt, to be kept instead of the password.
    package static func makeToken(password: String) -> Credential {
        let salt = Credentials.freshSalt()
        return .token(salt: salt, token: Credentials.token(password: password, salt: salt))
    }
}
