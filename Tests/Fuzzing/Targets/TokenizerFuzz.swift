import MPDCommands
import MPDProtocol

/// Takes a line apart and parses its arguments as a command would.
enum TokenizerFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let words = try? Tokenizer.split(bytes[...]) else { return }
        try checkQuoting(words)
        _ = try? command(for: words).action(words.arguments, permission: .everything)
    }

    /// The command that the line names; for other words one that depends on the word, so that every parser is reached.
    private static func command(for words: CommandWords) -> Command {
        if let command = CommandTable.byName[words.name] { return command }
        let number = words.name.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
        return CommandTable.commands[abs(number % CommandTable.commands.count)]
    }

    /// The same words in quotes must be the same words.
    private static func checkQuoting(_ words: CommandWords) throws {
        var line = Array(words.name.utf8)
        for argument in words.arguments {
            line += Array(" \"".utf8)
            for byte in argument.utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { line.append(UInt8(ascii: "\\")) }
                line.append(byte)
            }
            line.append(UInt8(ascii: "\""))
        }
        guard try Tokenizer.split(line[...]) == words else {
            throw FuzzFinding("quoted again, \(words) is something else")
        }
    }
}
