import Testing

@testable import AudioOutputs

struct EngineCheckTests {
    @Test("the check names the package of what is missing and finds the essentials here")
    func check() {
        #expect(EngineCheck.failure == nil)
        #expect(EngineCheck.missing().allSatisfy { !$0.isEssential })
        #expect(EngineCheck.package(of: "avdec_aac") == "gstreamer1.0-libav")
        #expect(EngineCheck.package(of: "alsasink") == "gstreamer1.0-alsa")
    }
}
