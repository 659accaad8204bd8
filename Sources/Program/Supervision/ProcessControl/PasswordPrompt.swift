import Foundation

/// Reads a password without showing it.
package enum PasswordPrompt {
    private static let limit = 4_096

    /// Asks on the terminal, or takes the first line of standard input when that is no terminal. The error that nothing
    /// was given shows an example, a command that pipes the password in.
    package static func read(_ prompt: String, example: String) throws -> String {
        let password = isatty(STDIN_FILENO) == 1 ? ask(prompt) : line()
        guard let password, !password.isEmpty else {
            throw ProcessError("no password was given. Type it at the prompt, or pipe it in: \(example)")
        }
        return password
    }

    /// Asks twice on the terminal, so that a slip locks no one out; a pipe holds one line.
    package static func readNew(_ prompt: String, example: String) throws -> String {
        let password = try read(prompt, example: example)
        guard isatty(STDIN_FILENO) == 1 else { return password }
        guard ask("Again: ") == password else {
            throw ProcessError("the two passwords differ. Nothing was made; try again.")
        }
        return password
    }

    private static func ask(_ prompt: String) -> String? {
        FileHandle.standardError.write(Data(prompt.utf8))
        SilentTerminal.begin()
        defer {
            SilentTerminal.end()
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return line()
    }

    /// Reads up to a line feed, byte by byte, so that what follows is left for others.
    private static func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < limit {
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { break }
            guard byte != 0x0A else { break }
            bytes.append(byte)
        }
        if bytes.last == 0x0D { bytes.removeLast() }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// Switches the terminal's echo off, and on again also where a signal ends the program or stops it.
private enum SilentTerminal {
    /// The settings to go back to, for a signal handler, which may only read plain memory.
    private nonisolated(unsafe) static var before = termios()
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    static func begin() {
        tcgetattr(STDIN_FILENO, &before)
        for number in signals {
            // Restores the terminal, then lets the signal do what it does without a handler.
            signal(number) { number in
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &SilentTerminal.before)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    }

    static func end() {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        for number in signals { signal(number, SIG_DFL) }
    }
}
