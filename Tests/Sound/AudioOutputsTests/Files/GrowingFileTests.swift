import Glibc
import SoundSamples
import Synchronization
import Testing

@testable import AudioOutputs

/// What a recording finds in its place, where others may have put something.
@Suite
struct GrowingFileTests {
    private let folder = TemporaryFolder()

    private func mode(_ path: String) -> mode_t {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_mode & 0o777 : 0
    }

    @Test("a recording follows no link, and the file that it leads to stays as it is", arguments: [true, false])
    func link(isThere: Bool) throws {
        let (secret, path) = (folder.file("private"), folder.file("recording.wav"))
        if isThere {
            #expect(close(creat(secret, 0o600)) == 0)
        }
        #expect(symlink(secret, path) == 0)
        #expect(throws: OutputProblem.self) { try GrowingFile(path, replaces: true) }
        #expect(mode(secret) == (isThere ? 0o600 : 0), "neither opened to others nor made")
    }

    @Test("a pipe in a recording's place is a problem that nothing waits for")
    func pipe() {
        let path = folder.file("recording.wav")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: OutputProblem.self) { try GrowingFile(path, replaces: true) }
    }

    @Test("a file that is made gets the mode that the user's umask gives, and one that was there keeps its own")
    func modes() throws {
        let (made, kept) = (folder.file("made.wav"), folder.file("kept.wav"))
        #expect(close(creat(kept, 0o600)) == 0)
        for path in [made, kept] { try GrowingFile(path, replaces: true).append([1]) }
        #expect(mode(made) == 0o666 & ~mode_t(OutputFileMode.userMask.load(ordering: .relaxed)))
        #expect(mode(kept) == 0o600)
    }
}
