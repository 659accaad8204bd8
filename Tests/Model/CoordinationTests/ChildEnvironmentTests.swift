import Testing

@testable import Coordination

@Suite("The environment of other programs")
struct ChildEnvironmentTests {
    @Test("it has everything but Segue's settings and secrets")
    func secrets() {
        let entries = ChildEnvironment.entries(of: [
            "PATH": "/bin", "LANG": "C", "SEGUE_NAVIDROME_PASSWORD": "secret", "CREDENTIALS_DIRECTORY": "/run/secrets",
        ])
        #expect(Set(entries) == ["PATH=/bin", "LANG=C"])
    }
}
