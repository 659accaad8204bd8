import Foundation

/// Reads a password without showing it.
enum PasswordPrompt {
    /// Asks on the terminal, or takes the first line of standard input when that is no terminal.
    ///
    /// - Throws: `CommandFailure` when nothing was given.
    static func read(_ prompt: String) throws -> String {
        let password = isatty(0) == 1 ? ask(prompt) : readLine(strippingNewline: true)
        guard let password, !password.isEmpty else {
            throw CommandFailure(
                "no password was given. Type it at the prompt, or pipe it in: printf %s SECRET | segue login URL USER")
        }
        return password
    }

    private static func ask(_ prompt: String) -> String? {
        FileHandle.standardError.write(Data(prompt.utf8))
        var before = termios()
        tcgetattr(0, &before)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(0, TCSAFLUSH, &silent)
        defer {
            tcsetattr(0, TCSAFLUSH, &before)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return readLine(strippingNewline: true)
    }
}
