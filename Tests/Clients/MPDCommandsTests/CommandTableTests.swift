import Foundation
import Testing

@testable import MPDCommands

@Suite("The table of commands")
struct CommandTableTests {
    /// The commands of MPD 0.24.13, from src/command/AllCommands.cxx.
    private static let commandsOfMPD = """
        add addid addtagid albumart binarylimit channels clear clearerror cleartagid close commands config consume count \
        crossfade currentsong decoders delete deleteid delpartition disableoutput enableoutput find findadd \
        getfingerprint getvol idle kill list listall listallinfo listfiles listmounts listneighbors listpartitions \
        listplaylist listplaylistinfo listplaylists load lsinfo mixrampdb mixrampdelay mount move moveid moveoutput \
        newpartition next notcommands outputs outputset partition password pause ping play playid playlist playlistadd \
        playlistclear playlistdelete playlistfind playlistid playlistinfo playlistlength playlistmove playlistsearch \
        plchanges plchangesposid previous prio prioid protocol random rangeid readcomments readmessages readpicture \
        rename repeat replay_gain_mode replay_gain_status rescan rm save search searchadd searchaddpl searchcount \
        searchplaylist seek seekcur seekid sendmessage setvol shuffle single stats status sticker stickernames \
        stickernamestypes stickertypes stop subscribe swap swapid tagtypes toggleoutput unmount unsubscribe update \
        urlhandlers volume
        """.split(separator: " ").map(String.init)

    @Test("It is sorted, and no command stands in it twice")
    func sorted() {
        let names = CommandTable.commands.map(\.name)
        #expect(names == Set(names).sorted())
    }

    @Test("It lists every declaration, and each is named after its word")
    func declarations() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Clients/MPDCommands")
        var declared: [String] = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            for match in text.matches(of: /\n    static let `?(\w+)`? = \w+\(\s*"(\w+)"/) {
                #expect(match.1.lowercased() == match.2.filter { $0 != "_" })
                declared.append(String(match.2))
            }
        }
        #expect(declared.sorted() == CommandTable.commands.map(\.name).sorted())
    }

    @Test("What MPD 0.24 has is there, and all else says that it is Segue's own")
    func completeness() {
        // Those of the next version are there before it is out.
        let present = CommandTable.commands.filter { ![nil, "0.25"].contains($0.version) }.map(\.name)
        #expect(present.sorted() == Self.commandsOfMPD.sorted())
    }
}
