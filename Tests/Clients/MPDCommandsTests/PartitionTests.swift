import Foundation
import LibraryIndex
import MPDCommands
import MusicModel
import Playback
import ServerLoop
import Testing

@Suite("Partitions, outputs that move, parts of songs and mounts")
struct PartitionTests {
    @Test("newpartition takes ASCII names once, up to sixteen")
    func making() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("newpartition garden_2-B") == ["OK"])
        #expect(await desk.takeEvents() == .partition)
        #expect(await desk.ask("newpartition garden_2-B") == ["ACK [56@0] {newpartition} name already exists"])
        for name in ["\"\"", "a.b", "\"a b\"", "ä"] {
            #expect(await desk.ask("newpartition \(name)") == ["ACK [2@0] {newpartition} bad name"])
        }
        for number in 3...16 { #expect(await desk.ask("newpartition p\(number)") == ["OK"]) }
        #expect(await desk.ask("newpartition p17") == ["ACK [5@0] {newpartition} too many partitions"])
        let names = ["default", "garden_2-B"] + (3...16).map { "p\($0)" }
        #expect(await desk.ask("listpartitions") == names.map { "partition: \($0)" } + ["OK"])
        try await desk.close()
    }

    @Test("delpartition refuses what is in use, in MPD's order")
    func deleting() async throws {
        let desk = try await Desk()
        _ = await desk.ask("newpartition garden")
        #expect(await desk.ask("delpartition \"a b\"") == ["ACK [2@0] {delpartition} bad name"])
        #expect(await desk.ask("delpartition attic") == ["ACK [50@0] {delpartition} no such partition"])
        #expect(
            await desk.ask("delpartition default") == ["ACK [5@0] {delpartition} cannot delete the default partition"])
        let other = await desk.newClient()
        _ = await desk.ask("partition garden", as: other)
        _ = await desk.ask("moveoutput Null", as: other)
        await ServerActor.run { desk.clients.usedPartition = other.partition }
        #expect(await desk.ask("delpartition garden") == ["ACK [5@0] {delpartition} partition still has clients"])
        await ServerActor.run { desk.clients.usedPartition = nil }
        #expect(await desk.ask("delpartition garden") == ["ACK [5@0] {delpartition} partition still has outputs"])
        _ = await desk.ask("moveoutput Null")
        _ = await desk.takeEvents()
        #expect(await desk.ask("delpartition garden") == ["OK"])
        #expect(await desk.takeEvents() == .partition)
        #expect(await desk.partitions.closed == ["garden"])
        #expect(await desk.ask("partition garden") == ["ACK [50@0] {partition} partition does not exist"])
        try await desk.close()
    }

    @Test("renamepartition keeps clients, queue and outputs, and refuses names that are taken or fixed")
    func renaming() async throws {
        let desk = try await Desk()
        let other = await desk.newClient()
        _ = await desk.ask("newpartition garden")
        _ = await desk.ask("newpartition Shfl")
        await ServerActor.run { desk.partitions.configured = ["Shfl", "Gone"] }
        _ = await desk.ask("partition garden", as: other)
        _ = await desk.ask("moveoutput Null", as: other)
        _ = await desk.ask("add root.flac", as: other)
        _ = await desk.takeEvents()
        func refused(_ code: Int, _ text: String) -> [String] { ["ACK [\(code)@0] {renamepartition} \(text)"] }
        let (taken, named) = (
            "There is a partition of this name already.", "The configuration has a partition of this name."
        )
        for name in ["default", "Shfl", "garden"] {
            #expect(await desk.ask("renamepartition garden \(name)") == refused(56, taken))
        }
        #expect(await desk.ask("renamepartition garden Gone") == refused(56, named))
        #expect(await desk.ask("renamepartition attic loft") == refused(50, "There is no partition of this name."))
        for name in ["\"\"", "a.b", "\"a b\"", "ä"] {
            let answer = await desk.ask("renamepartition garden \(name)")
            #expect(answer.first?.hasPrefix("ACK [2@0] {renamepartition} A partition's name has letters") == true)
        }
        let fixed = "The partition default is always there and keeps its name."
        #expect(await desk.ask("renamepartition default hall") == refused(56, fixed))
        let configured = "The configuration names this partition; change it there."
        #expect(await desk.ask("renamepartition Shfl hall") == refused(56, configured))
        #expect(await desk.takeEvents() == [])
        #expect(await desk.ask("renamepartition garden terrace_2-B", as: other) == ["OK"])
        #expect(await desk.takeEvents() == .partition)
        let status = await desk.ask("status", as: other)
        for line in ["partition: terrace_2-B", "playlistlength: 1"] { #expect(status.contains(line)) }
        #expect(await desk.ask("outputs", as: other).contains("plugin: null"))
        #expect(
            await desk.ask("listpartitions") == [
                "partition: default", "partition: terrace_2-B", "partition: Shfl", "OK",
            ])
        #expect(await desk.ask("newpartition garden") == ["OK"])
        try await desk.close()
    }

    @Test("A name that can't be kept is told, and the old one is back")
    func renamingInVain() async throws {
        let desk = try await Desk()
        _ = await desk.ask("newpartition garden")
        await ServerActor.run { desk.partitions.failure = LibraryError(.diskFull, "The disk is full") }
        #expect(await desk.ask("renamepartition garden terrace").first?.contains("The disk is full") == true)
        #expect(await desk.ask("listpartitions") == ["partition: default", "partition: garden", "OK"])
        try await desk.close()
    }

    @Test("A moved output leaves a dummy, which takes it back and can be enabled meanwhile")
    func moving() async throws {
        let desk = try await Desk()
        let other = await desk.newClient()
        _ = await desk.ask("newpartition garden")
        _ = await desk.ask("partition garden", as: other)
        #expect(await desk.ask("outputs", as: other) == ["OK"])
        _ = await desk.takeEvents()
        #expect(await desk.ask("moveoutput Null", as: other) == ["OK"])
        #expect(await desk.takeEvents() == .output)
        #expect(await desk.ask("moveoutput Null", as: other) == ["OK"])
        #expect(await desk.takeEvents() == [])
        #expect(await desk.ask("moveoutput Attic") == ["ACK [50@0] {moveoutput} No such output"])
        func list(_ plugin: String, _ enabled: Int) -> [String] {
            ["outputid: 0", "outputname: Null", "plugin: \(plugin)", "outputenabled: \(enabled)", "OK"]
        }
        #expect(await desk.ask("outputs") == list("dummy", 0))
        #expect(await desk.ask("outputs", as: other) == list("null", 1))
        #expect(await desk.ask("enableoutput 0") == ["OK"])
        #expect(await desk.ask("outputs") == list("dummy", 1))
        #expect(
            await desk.ask("outputset 0 a b") == ["ACK [5@0] {outputset} Cannot set attribute on dummy output"])
        #expect(await desk.ask("disableoutput 0", as: other) == ["OK"])
        #expect(await desk.ask("moveoutput Null") == ["OK"])
        #expect(await desk.ask("outputs") == list("null", 0))
        #expect(await desk.ask("outputs", as: other) == list("dummy", 0))
        try await desk.close()
    }

    @Test("Each partition has its own queue and options; the ReplayGain mode is taken over")
    func independence() async throws {
        let desk = try await Desk()
        let other = await desk.newClient()
        _ = await desk.ask("replay_gain_mode album")
        _ = await desk.ask("repeat 1")
        _ = await desk.ask("add root.flac")
        _ = await desk.ask("newpartition garden")
        _ = await desk.ask("partition garden", as: other)
        #expect(await desk.ask("replay_gain_status", as: other) == ["replay_gain_mode: album", "OK"])
        let status = await desk.ask("status", as: other)
        for line in ["partition: garden", "repeat: 0", "playlistlength: 0"] { #expect(status.contains(line)) }
        try await desk.close()
    }

    @Test("rangeid shows the part and its duration, and refuses what MPD refuses")
    func ranges() async throws {
        let desk = try await Desk()
        for uri in ["root.flac", "Café/Straße.flac"] { _ = await desk.ask("add \"\(uri)\"") }
        func song(_ range: String?, _ time: String, _ duration: String) async {
            let lines = await desk.ask("playlistid 1")
            #expect(lines.first { $0.hasPrefix("Range: ") } == range.map { "Range: \($0)" })
            if range != nil { #expect(lines[1].hasPrefix("Range: ")) }
            #expect(
                lines.filter { $0.hasPrefix("Time: ") || $0.hasPrefix("duration: ") } == [
                    "Time: \(time)", "duration: \(duration)",
                ])
            #expect(lines.suffix(3) == ["Pos: 0", "Id: 1", "OK"])
        }
        await song(nil, "10", "10.000")
        for (range, shown, time, duration) in [
            ("2.5:4", "2.500-4.000", "2", "1.500"), ("3:", "3.000-", "7", "7.000"), (":2", "0.000-2.000", "2", "2.000"),
            ("1:99", "1.000-", "9", "9.000"), ("1:0", "1.000-", "9", "9.000"),
        ] {
            _ = await desk.takeEvents()
            #expect(await desk.ask("rangeid 1 \(range)") == ["OK"])
            #expect(await desk.takeEvents() == .queue)
            await song(shown, time, duration)
        }
        for range in ["5", "x:", ":x", "3:2", "3:3", "-1:2", "1:-2", "1:2:3"] {
            #expect(await desk.ask("rangeid 1 \(range)") == ["ACK [2@0] {rangeid} Bad range"])
        }
        #expect(await desk.ask("rangeid 1 11:") == ["ACK [2@0] {rangeid} Invalid start offset"])
        #expect(await desk.ask("rangeid 9 1:") == ["ACK [50@0] {rangeid} No such song"])
        #expect(await desk.ask("rangeid 1 :") == ["OK"])
        await song(nil, "10", "10.000")
        _ = await desk.ask("play 0")
        #expect(await desk.ask("rangeid 1 1:") == ["ACK [4@0] {rangeid} Cannot edit the current song"])
        #expect(await desk.ask("rangeid 2 1:") == ["OK"])
        #expect(await desk.ask("plchanges 0").filter { $0.hasPrefix("Range: ") } == ["Range: 1.000-"])
        try await desk.close()
    }

    @Test("listneighbors is known but not listed")
    func neighbors() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("listneighbors") == ["ACK [5@0] {listneighbors} No neighbor plugin configured"])
        #expect(await !desk.ask("commands").contains("command: listneighbors"))
        #expect(await !desk.ask("notcommands").contains("command: listneighbors"))
        try await desk.close()
    }

    @Test("mount takes network storages where they can be mounted, and shows no login of theirs")
    func networkMounts() async throws {
        let desk = try await Desk()
        let (mounting, storages) = (NotedMounts(), NotedStorages())
        await desk.reassemble { parts, _ in (parts.mounting, parts.storages) = (mounting, storages) }
        for (arguments, answer) in [
            ("nas udisks://nas/x", "[2@0] {mount} Unrecognized storage URI"),
            (
                "nas ftp://nas/x",
                "[2@0] {mount} No music can be played from FTP storages; use sftp, dav, nfs or smb"
            ),
            ("Bob smb://nas/x", "[2@0] {mount} Already exists"),
            ("nas smb://nas/nothing", "[50@0] {mount} The server has no such folder: check the path"),
            (
                "nas smb://me:secret@nas/closed",
                "[52@0] {mount} The server refuses the login: check the user and the password"
            ),
        ] {
            #expect(await desk.ask("mount \(arguments)") == ["ACK \(answer)"])
        }
        #expect(
            await desk.ask("mount nas smb://nas/strange").first?.hasPrefix("ACK [2@0] {mount} Nothing here") == true)
        #expect(storages.attached.isEmpty && mounting.folders.isEmpty)
        _ = await desk.takeEvents()
        #expect(await desk.ask("mount nas smb://me:secret@nas/music") == ["OK"])
        #expect(await desk.takeEvents() == .mount)
        #expect(mounting.folders == ["nas": "/storages/music"])
        #expect(storages.attached == ["nas": "smb://me:secret@nas/music"])
        #expect(desk.updating.requests == ["update nas"])
        #expect(await desk.ask("listmounts") == ["mount: ", "mount: nas", "storage: smb://nas/music", "OK"])
        #expect(
            await desk.ask("mount again smb://you@nas/music") == [
                "ACK [2@0] {mount} This storage is already mounted"
            ])
        #expect(await desk.ask("mount nas smb://nas/other") == ["ACK [2@0] {mount} Mount point busy"])
        #expect(await desk.ask("unmount nas") == ["OK"])
        #expect(storages.attached.isEmpty && mounting.folders.isEmpty)
        try await desk.close()
    }

    @Test(
        "on a Unix socket the server's user and root may mount any folder, and others what the network may",
        arguments: [(UInt32(0), true), (geteuid(), true), (geteuid() &+ 1000, false)])
    func mountsOfUsers(user: UInt32, mayMount: Bool) async throws {
        let desk = try await Desk(isLocal: true, user: user)
        let mounting = NotedMounts()
        await desk.reassemble { parts, _ in parts.mounting = mounting }
        #expect(await (desk.ask("mount usb /no/where") == ["OK"]) == mayMount)
        #expect(mounting.folders.isEmpty != mayMount)
        try await desk.close()
    }

    @Test("mount takes local folders at the top of the library, and says what is wrong as MPD does")
    func mounts() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("mount usb /tmp") == ["ACK [2@0] {mount} Unrecognized storage URI"])
        #expect(await !desk.ask("commands").contains("command: mount"))
        let mounting = NotedMounts()
        await desk.reassemble { parts, _ in parts.mounting = mounting }
        #expect(await desk.ask("commands").contains("command: mount"))
        let folder = FileManager.default.temporaryDirectory.appending(path: "mount me-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let escaped = folder.path.replacing(" ", with: "%20")
        for (arguments, answer) in [
            ("\"\" /tmp", "Bad mount point"), ("a/b /tmp", "Bad mount point"), (".. /tmp", "Bad mount point"),
            ("usb nfs://host/x", "Unrecognized storage URI"), ("usb tmp", "Unrecognized storage URI"),
            ("Bob /tmp", "Already exists"), ("usb /proc/1", "/proc/1 is no folder of music"),
        ] {
            #expect(await desk.ask("mount \(arguments)") == ["ACK [2@0] {mount} \(answer)"])
        }
        #expect(
            await desk.ask("mount usb /no/where") == [
                "ACK [4@0] {mount} Only folders below mount_roots can be mounted; add one, or use the Unix socket as its user"
            ])
        #expect(
            await desk.ask("mount usb /media/nothing") == [
                "ACK [52@0] {mount} Failed to access /media/nothing: No such file or directory"
            ])
        _ = await desk.takeEvents()
        #expect(await desk.ask("mount usb file://\(escaped)/") == ["OK"])
        #expect(await desk.takeEvents() == .mount)
        #expect(mounting.folders == ["usb": folder.path])
        #expect(desk.updating.requests == ["update usb"])
        #expect(await desk.ask("mount usb /tmp") == ["ACK [2@0] {mount} Mount point busy"])
        #expect(
            await desk.ask("mount disk \"\(folder.path)\"") == ["ACK [2@0] {mount} This storage is already mounted"])
        #expect(await desk.ask("listmounts") == ["mount: ", "mount: usb", "OK"])
        #expect(await desk.ask("unmount \"\"") == ["ACK [2@0] {unmount} Bad mount point"])
        #expect(await desk.ask("unmount disk") == ["ACK [2@0] {unmount} Not a mount point"])
        #expect(await desk.ask("unmount usb") == ["OK"])
        #expect(await desk.ask("listmounts") == ["mount: ", "OK"])
        #expect(mounting.folders.isEmpty)
        try await desk.close()
    }
}
