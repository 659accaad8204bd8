import MusicModel

/// One line of the protocol: a command's word, and its arguments, unquoted.
package typealias CommandWords = (name: String, arguments: [String])

/// Why a line can't be taken apart.
package struct TokenizerError: Error, Hashable, Sendable {
    /// The error that the client is told; such an answer never names a command.
    package var ack: AckError
    /// True if the client speaks another protocol, so that the connection ends after the answer.
    package var closesConnection: Bool
}

/// Splits a line into a word and its arguments.
/// - Wire: `word {argument | "quoted \"argument\""}`; any run of bytes up to 0x20 separates, `\x` in quotes means x.
/// - Shape: a NUL ends the line; invalid UTF-8 is repaired with U+FFFD, so it matches nothing and breaks nothing.
/// - Errors: code 5 for syntax, code 2 for more than 72 arguments, and for letters with more marks than 30.
package struct Tokenizer {
    /// How many arguments a line may have: two for every tag there is, and two more.
    package static let argumentLimit = 72

    private let bytes: ArraySlice<UInt8>
    private let end: Int
    private var index: Int

    /// Takes apart a line without its line feed.
    package static func split(_ line: ArraySlice<UInt8>) throws(TokenizerError) -> CommandWords {
        var tokenizer = Tokenizer(line)
        let name = try tokenizer.word()
        var arguments: [String] = []
        while tokenizer.index < tokenizer.end {
            let argument = try tokenizer.argument()
            guard arguments.count < argumentLimit else {
                throw TokenizerError(ack: AckError(.argument, "Too many arguments"), closesConnection: false)
            }
            arguments.append(argument)
        }
        return (name, arguments)
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        var end = bytes.firstIndex(of: 0) ?? bytes.endIndex
        while end > bytes.startIndex, bytes[end - 1] <= 0x20 { end -= 1 }
        self.bytes = bytes
        self.end = end
        index = bytes.startIndex
    }

    private mutating func word() throws(TokenizerError) -> String {
        guard index < end else { throw .closing("No command given") }
        guard bytes[index].isLetter else { throw .closing("Letter expected") }
        let start = index
        while index < end, bytes[index] > 0x20 {
            let byte = bytes[index]
            guard byte.isLetterOrDigit || byte == UInt8(ascii: "_") else { throw .closing("Invalid word character") }
            index += 1
        }
        defer { skipSpace() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func argument() throws(TokenizerError) -> String {
        let start = index
        let text = bytes[index] == UInt8(ascii: "\"") ? try quoted() : try unquoted()
        // Hardly any argument has bytes with which marks begin, and the bytes are looked through sooner than the text.
        guard !bytes[start..<index].contains(where: { $0 >= 0xCC }) || !text.hasExcessMarks else {
            throw TokenizerError(ack: AckError(.argument, "A letter has too many marks"), closesConnection: false)
        }
        return text
    }

    private mutating func unquoted() throws(TokenizerError) -> String {
        let start = index
        while index < end, bytes[index] > 0x20 {
            guard bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "'") else {
                throw .open("Invalid unquoted character")
            }
            index += 1
        }
        defer { skipSpace() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func quoted() throws(TokenizerError) -> String {
        index += 1
        let start = index
        guard
            let plainEnd = bytes[start..<end].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
            )
        else { throw .open("Missing closing '\"'") }
        // Most arguments hold no escape and need no second buffer.
        guard bytes[plainEnd] == UInt8(ascii: "\\") else {
            index = plainEnd
            try closeQuote()
            return String(decoding: bytes[start..<plainEnd], as: UTF8.self)
        }
        var value: [UInt8] = []
        while true {
            guard index < end else { throw .open("Missing closing '\"'") }
            if bytes[index] == UInt8(ascii: "\"") { break }
            if bytes[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < end else { throw .open("Missing closing '\"'") }
            value.append(bytes[index])
            index += 1
        }
        try closeQuote()
        return String(decoding: value, as: UTF8.self)
    }

    /// Steps over the closing quote, behind which a space or nothing must follow.
    private mutating func closeQuote() throws(TokenizerError) {
        index += 1
        guard index >= end || bytes[index] <= 0x20 else { throw .open("Space expected after closing '\"'") }
        skipSpace()
    }

    private mutating func skipSpace() { while index < end, bytes[index] <= 0x20 { index += 1 } }
}

extension TokenizerError {
    fileprivate static func closing(_ message: String) -> TokenizerError {
        TokenizerError(ack: AckError(.unknown, message), closesConnection: true)
    }

    fileprivate static func open(_ message: String) -> TokenizerError {
        TokenizerError(ack: AckError(.unknown, message), closesConnection: false)
    }
}

extension UInt8 {
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
    /// True for those of ASCII.
    package var isLetterOrDigit: Bool { isLetter || isDigit }
    var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
