import Glibc
import Hashing
import MPDCommands
import MPDProtocol

/// Finds commands by name and turns lines into commands that are ready to run.
struct CommandDispatcher: Sendable {
    private let entries: [CommandEntry]
    /// Their names, in bytes.
    private let names: [[UInt8]]
    /// Places in `entries` by a hash of the name; -1 is empty. Open addressing, never more than half full.
    private let places: [Int16]

    /// Indexes a table once.
    init(_ table: [CommandEntry]) {
        entries = table
        names = table.map { Array($0.name.utf8) }
        var size = 64
        while size < 2 * table.count { size *= 2 }
        var places = [Int16](repeating: -1, count: size)
        for (index, entry) in table.enumerated() {
            var place = Self.hash(Array(entry.name.utf8)[...]).slot(of: size)
            while places[place] >= 0 { place = (place + 1) & (size - 1) }
            places[place] = Int16(index)
        }
        self.places = places
    }

    /// Why a line doesn't become a command; `command` is empty where MPD names none.
    struct Refusal: Error {
        var ack: AckError
        var command = ""
        var closesConnection = false
    }

    /// Takes the line in a range of `bytes` apart and looks its command up.
    func entry(
        _ bytes: [UInt8], in range: Range<Int>
    ) throws(Refusal) -> (entry: CommandEntry, arguments: [String]) {
        let words: (name: Range<Int>, arguments: [String])
        do {
            words = try Tokenizer.split(bytes, in: range)
        } catch {
            throw Refusal(ack: error.ack, closesConnection: error.closesConnection)
        }
        guard let index = place(of: bytes[words.name]) else {
            let name = String(decoding: bytes[words.name], as: UTF8.self)
            throw Refusal(ack: AckError(.unknown, "unknown command \"\(name)\""))
        }
        return (entries[index], words.arguments)
    }

    /// The place of a name's entry; nil for an unknown one. No string is made of it, since this runs for every line.
    private func place(of name: ArraySlice<UInt8>) -> Int? {
        var place = Self.hash(name).slot(of: places.count)
        while places[place] >= 0 {
            let index = Int(places[place])
            if isName(name, of: index) { return index }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    private func isName(_ bytes: ArraySlice<UInt8>, of index: Int) -> Bool {
        names[index].withUnsafeBytes { name in
            bytes.withUnsafeBytes { bytes in
                guard name.count == bytes.count, let name = name.baseAddress, let start = bytes.baseAddress else {
                    return false
                }
                return memcmp(name, start, bytes.count) == 0
            }
        }
    }

    private static func hash(_ name: ArraySlice<UInt8>) -> FNV1a {
        var hash = FNV1a()
        name.withUnsafeBytes { hash.combine($0) }
        return hash
    }
}
