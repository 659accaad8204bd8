import Outputs
import Testing

@testable import AudioOutputs

@Suite("Drivers of outputs") struct OutputDriverTests {
    @Test(
        "every type of output that has settings of its own makes its driver",
        arguments: OutputSpecification.Kind.allCases)
    func settings(type: OutputSpecification.Kind) {
        let settings = OutputSpecification(type: type, name: "a").own.value
        #expect(settings == nil || settings is any DriverSettings)
    }
}
