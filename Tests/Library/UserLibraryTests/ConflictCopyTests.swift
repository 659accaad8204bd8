import Testing

@testable import UserLibrary

@Suite("Names of copies that conflicts leave")
struct ConflictCopyTests {
    @Test(
        "A copy is named after its playlist and the day, and leads back to it",
        arguments: ["Mix", "a (conflict b", "é 日本"])
    func names(playlist: String) {
        let name = ConflictCopy.name(of: playlist, madeAt: 1_795_392_000_000)
        #expect(name == "\(playlist) (conflict 2026-11-23)")
        #expect(ConflictCopy.original(of: name) == playlist)
        #expect(ConflictCopy.original(of: name + " (2)") == playlist)
    }

    @Test(
        "Other names are no copies",
        arguments: [
            "", "Mix", " (conflict 2026-11-23)", "Mix (conflict", "Mix (conflict of interest)", "Mix (conflict 2026)",
        ])
    func others(name: String) { #expect(ConflictCopy.original(of: name) == nil) }
}
