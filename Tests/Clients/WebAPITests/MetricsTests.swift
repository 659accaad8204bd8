import NIOCore
import Testing

@testable import WebAPI

@Suite("Figures for Prometheus")
struct MetricsTests {
    @Test("labels may hold anything")
    func labels() {
        var text = MetricsText()
        text.add("segue_output_enabled", "Whether.", [(["output": "a\"b\\c\nd", "type": "null"], 1)])
        let expected =
            "# HELP segue_output_enabled Whether.\n# TYPE segue_output_enabled gauge\n"
            + "segue_output_enabled{output=\"a\\\"b\\\\c\\nd\",type=\"null\"} 1.0\n"
        #expect(String(buffer: text.buffer) == expected)
    }
}
