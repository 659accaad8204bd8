import LibraryIndex
import TestSupport
import Testing
@testable import NetworkStorages

@Suite("Addresses of network storages", .enabled(if: testsEverything))
struct StorageAddressTests {
    @Test(
        "An address is shown without its login, and in one spelling",
        arguments: [
            ("smb://server/share", "smb://server/share"), ("SMB://Server/share/", "smb://server/share"),
            ("smb://me:secret@server/My%20Music", "smb://server/My%20Music"),
            ("smb://me:secret@server/My Music", "smb://server/My%20Music"),
            ("sftp://me@host:2222//srv/music//", "sftp://host:2222/srv/music"),
            ("dav://me:a@b:c@host/x", "dav://host/x"), ("https://host/files/", "https://host/files"),
            ("sftp://[::1]:22/music", "sftp://[::1]:22/music"), ("nfs://server/", "nfs://server"),
            ("davs://host/Ärger", "davs://host/%C3%84rger"),
        ])
    func shown(_ uri: String, shown: String) throws {
        let address = try #require(StorageAddress(uri))
        #expect(address.shown == shown)
        #expect(!"\(address)".contains("secret"))
        #expect(!String(reflecting: address).contains("secret"))
    }

    @Test(
        "What names no storage is refused",
        arguments: [
            "", "/srv/music", "file:///srv", "udisks://by-uuid-1", "smb:server", "smb://", "smb:///share",
            "smb://server:0/x", "smb://server:99999/x", "smb://server:x/y", "smb://se rver/x", "smb://server/../x",
            "smb://server/%2e%2e/x", "smb://server/x?y", "smb://server/x#y", "smb://server/%zz", "smb://server/%0a",
            "smb://me:%zz@server/x", "smb://me:%0a@server/x", "smb://m%00e@server/x", "smb://server\n/x",
            "smb://server/" + String(repeating: "x", count: 5000), "nope://server/x", "ftp://server/x",
        ])
    func refused(_ uri: String) { #expect(StorageAddress(uri) == nil) }

    @Test(
        "GIO gets the user in the address, and never the password",
        arguments: [
            ("smb://me:secret@server/share", "smb://me@server/share"),
            ("smb://HOME;me:secret@server/share", "smb://HOME;me@server/share"),
            ("http://me:secret@host:81/x", "dav://me@host:81/x"), ("https://host", "davs://host/"),
            ("sftp://m%40e@host/x", "sftp://m%40e@host/x"),
        ])
    func location(_ uri: String, location: String) throws {
        #expect(try #require(StorageAddress(uri)).location == location)
    }

    @Test("Names of files are those of one folder, short, and differ where the addresses do")
    func fileNames() throws {
        let uris = [
            "smb://server/a-b", "smb://server/a/b", "smb://server/a b", "dav://server/a/b", "smb://server:1/a/b",
            "smb://server/" + String(repeating: "ä", count: 300),
        ]
        let names = try uris.map { try #require(StorageAddress($0)).fileName }
        #expect(Set(names).count == uris.count)
        #expect(names.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") && $0.utf8.count < 120 })
        #expect(names[1].hasPrefix("smb-server-a-b-"))
        let (one, other) = (StorageAddress("smb://me:x@server/a/b"), StorageAddress("smb://server/a/b/"))
        #expect(one?.fileName == other?.fileName)
    }

    @Test(
        "Storages of one volume of GVfs's are known as such by their addresses",
        arguments: [
            ("sftp://me:x@h/a", "sftp://me:y@H:22/b/c", true), ("sftp://me@h/a", "sftp://you@h/a", false),
            ("sftp://me@h/a", "sftp://h/a", false), ("sftp://h/a", "sftp://h:2222/a", false),
            ("smb://h/Music/a", "smb://h/music", true), ("smb://h/music", "smb://h/films", false),
            ("smb://W;me@h/music", "smb://me@h/music", false), ("http://h/a", "dav://h:80/b", true),
            ("dav://h/a", "davs://h/a", false), ("nfs://h/a", "nfs://h/b", true),
            ("sftp://h/a", "sftp://g/a", false),
        ])
    func volumes(_ one: String, other: String, isSame: Bool) throws {
        let (one, other) = (try #require(StorageAddress(one)), try #require(StorageAddress(other)))
        #expect((one.volume == other.volume) == isSame)
    }

    @Test("Marks behind slashes, colons and at signs change nothing of where an address is taken apart")
    func marks() throws {
        let address = try #require(StorageAddress("sftp://me:\u{301}x@host/\u{301}a"))
        #expect(address.shown == "sftp://host/%CC%81a" && address.login.user == "me")
        #expect(StorageAddress("sftp://host/a/../\u{301}b") == nil)
        #expect(StorageAddress("sftp://host/a?\u{301}b") == nil)
    }

    @Test("A password is taken out of a server's words")
    func redaction() throws {
        let address = try #require(StorageAddress("smb://me:hunter2@server/x"))
        #expect(address.withoutPassword("login me:hunter2 failed") == "login me:… failed")
    }
}

@Suite("Answers to the questions of a storage's server", .enabled(if: testsEverything))
struct StorageLoginTests {
    private let everything: StorageLogin.Wanted = [.password, .user, .domain, .anonymousIsPossible]

    @Test("The address's login is given once; a second question means that it was refused")
    func once() throws {
        let login = try #require(StorageAddress("smb://HOME;me:secret@server/x")).login
        var answers = StorageLogin(login)
        #expect(answers.answer(everything) == .login(.init(domain: "HOME", user: "me", password: "secret")))
        #expect(answers.failure == nil)
        #expect(answers.answer(everything) == .abort)
        #expect(answers.failure == .refusedLogin)
    }

    @Test("Without a login it goes in as a guest where it may, and else says what is missing")
    func guests() {
        var guest = StorageLogin(.init())
        #expect(guest.answer(everything) == .anonymous)
        #expect(guest.answer(everything) == .abort && guest.failure == .needsLogin)
        var other = StorageLogin(.init())
        #expect(other.answer([.password, .user]) == .abort && other.failure == .needsLogin)
        var named = StorageLogin(.init(user: "me"))
        #expect(named.answer(everything) == .abort && named.failure == .needsLogin)
        var asked = StorageLogin(.init(user: "me"))
        #expect(asked.answer([.user]) == .login(.init(user: "me")))
    }

    @Test("Any other question is answered with no")
    func questions() {
        var answers = StorageLogin(.init(user: "me", password: "x"))
        answers.abort(at: "Is this certificate right?")
        #expect(answers.failure == .untrusted("Is this certificate right?"))
    }
}
