import Foundation
import MPDProtocol
import Testing

@testable import MPDCommands

/// `docs/protocol.md` has a table of commands that is made from the command table.
///
/// `SEGUE_WRITE_DOCS=1 swift test --filter ProtocolPageTests` writes it anew.
@Suite("The page about the protocol")
struct ProtocolPageTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/protocol.md")
    private static let begin = "<!-- made from the command table by ProtocolPageTests -->\n"
    private static let end = "<!-- end of the table -->"

    @Test("Its table of commands is what the command table says")
    func table() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let begin = try #require(text.range(of: Self.begin))
        let end = try #require(text.range(of: Self.end))
        let table = Self.table
        if ProcessInfo.processInfo.environment["SEGUE_WRITE_DOCS"] == "1" {
            let written = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: table)
            try written.write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(String(text[begin.upperBound..<end.lowerBound]) == table)
        }
    }

    @Test("Versions of MPD are those that brought commands")
    func versions() {
        let versions = CommandTable.commands.compactMap(\.version)
        #expect(
            Set(versions) == [
                "before 0.12", "0.12", "0.13", "0.14", "0.15", "0.16", "0.17", "0.18", "0.19", "0.21", "0.22", "0.22.4",
                "0.23", "0.24", "0.25",
            ])
        let new = CommandTable.commands.filter { $0.version == "0.24" }.map(\.name)
        #expect(
            new == [
                "playlistlength", "protocol", "searchcount", "searchplaylist", "stickernames", "stickernamestypes",
                "stickertypes",
            ])
    }

    private static var table: String {
        let rows = CommandTable.commands.map { command in
            let usage = command.usage.replacing("|", with: "\\|")
            let call = usage.isEmpty ? "`\(command.name)`" : "`\(command.name) \(usage)`"
            return "| \(call) | \(name(of: command.permission)) | \(command.version ?? "not in MPD") |\n"
        }
        return "\n| Command | Permission | Since MPD |\n|---|---|---|\n" + rows.joined() + "\n"
    }

    private static func name(of permission: Permission) -> String {
        switch permission {
        case .read: "read"
        case .add: "add"
        case .player: "player"
        case .control: "control"
        case .admin: "admin"
        default: "none"
        }
    }
}
