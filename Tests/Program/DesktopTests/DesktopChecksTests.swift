import Diagnosis
import TestSupport
import Testing

@testable import Desktop

@Suite("Checking the desktop", .enabled(if: testsEverything))
struct DesktopChecksTests {
    @Test("only what is wanted is looked for: Avahi where others are told, a session's bus where the desktop is")
    func findings() {
        var places = SystemPlaces(environment: [:])
        places.services = "/nonexistent"
        let system = SystemChecks(places)
        func found(_ announces: Bool, _ needsDesktop: Bool, _ bus: String?) -> [String: Finding.Level] {
            let findings = DesktopExtension.findings(
                system, announces: announces, needsDesktop: needsDesktop, sessionBus: bus)
            return Dictionary(findings.map { ($0.subject, $0.level) }, uniquingKeysWith: { $1 })
        }
        #expect(found(false, false, nil) == [:])
        #expect(found(true, false, nil) == ["D-Bus": .warning, "Avahi": .warning])
        #expect(found(false, true, nil) == ["desktop": .warning])
        #expect(found(false, true, "unix:path=/run/user/7/bus") == ["desktop": .ok])
    }
}
