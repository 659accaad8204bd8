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
        let names = CommandTable.commands.map { $0.word }
        #expect(names == Set(names).sorted())
    }

    @Test("It lists every file of the folders, and each command has its own file")
    func files() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Clients/MPDCommands")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
            .filter { $0.hasSuffix("Command.swift") && !$0.hasPrefix("Infrastructure/") }
            .map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
        let types = CommandTable.commands.map { String(describing: $0) }
        #expect(Set(files).subtracting(types).sorted() == [], "files without a line in CommandTable")
        #expect(Set(types).subtracting(files).sorted() == [], "commands without a file of their own")
    }

    @Test("A command's type is named after its word")
    func names() {
        for command in CommandTable.commands {
            let word = command.word.filter { $0 != "_" } + "command"
            #expect(String(describing: command).lowercased() == word)
        }
    }

    @Test("What MPD 0.24 has is there or absent for a reason, and all else says that it is Segue's own")
    func completeness() {
        // Those of the next version are there before it is out.
        let others: [CommandOrigin] = [.segue, .mpd(since: "0.25")]
        let present = CommandTable.commands.filter { !others.contains($0.origin) }.map { $0.word }
        let absent = CommandTable.absent.map(\.name)
        #expect(Set(CommandTable.byName.keys).intersection(absent) == [])
        #expect((present + absent).sorted() == Self.commandsOfMPD.sorted())
        #expect(CommandTable.absent.allSatisfy { !$0.reason.isEmpty })
    }
}
