import MPDCommands
import MPDProtocol

/// Finds commands by name and turns lines into commands that are ready to run.
struct CommandDispatcher: Sendable {
    private let entries: [String: CommandEntry]

    /// Indexes a table once.
    init(_ table: [CommandEntry]) {
        entries = Dictionary(table.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Why a line doesn't become a command; `command` is empty where MPD names none.
    struct Refusal: Error {
        var ack: AckError
        var command = ""
        var closesConnection = false
    }

    /// Takes a line apart, looks its command up, checks permission and arguments, and parses them.
    func command(_ line: [UInt8], permission: Permission) throws(Refusal) -> (name: String, command: any Command) {
        let words: CommandWords
        do {
            words = try Tokenizer.split(line)
        } catch {
            throw Refusal(ack: error.ack, closesConnection: error.closesConnection)
        }
        guard let entry = entries[words.name] else {
            throw Refusal(ack: AckError(.unknown, "unknown command \"\(words.name)\""))
        }
        do {
            return (entry.name, try entry.command(words.arguments, permission: permission))
        } catch {
            throw Refusal(ack: error, command: entry.name)
        }
    }
}
