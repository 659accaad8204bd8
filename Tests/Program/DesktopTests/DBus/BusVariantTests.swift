import CGIO
import TestSupport
import Testing

@testable import Desktop

@Suite("Values on the bus", .enabled(if: testsEverything))
struct BusVariantTests {
    @Test(
        "A value comes back as it was sent",
        arguments: [
            .flag(true), .int32(-5), .uint16(65_535), .uint32(.max), .int64(.min), .double(0.25), .text("Für Elise 🎹"),
            .path("/org/segue/queue/7"), .handle(3), .tuple([.text("a"), .int32(1)]), .variant(.text("b")),
        ] as [BusVariant])
    func roundTrip(_ value: BusVariant) throws {
        let made = try #require(value.makeVariant())
        g_variant_ref_sink(made)
        defer { g_variant_unref(made) }
        #expect(BusVariant(made) == value)
    }

    @Test(
        "Lists and dictionaries have the types that D-Bus calls them",
        arguments: [
            (BusVariant.texts([]), "as"), (.texts(["a", "b"]), "as"), (.dictionary([:]), "a{sv}"),
            (.dictionary(["Volume": .double(1), "Shuffle": .flag(false)]), "a{sv}"), (.records(["path=/"]), "aay"),
        ])
    func types(_ value: BusVariant, type: String) throws {
        let made = try #require(value.makeVariant())
        g_variant_ref_sink(made)
        defer { g_variant_unref(made) }
        #expect(String(cString: g_variant_get_type_string(made)) == type)
    }

    @Test("Texts lose their zero bytes, and paths that are none become the root")
    func hostileTexts() throws {
        for (value, expected) in [
            (BusVariant.text("a\0b"), BusVariant.text("ab")), (.path("no path"), .path("/")), (.path(""), .path("/")),
        ] {
            let made = try #require(value.makeVariant())
            g_variant_ref_sink(made)
            defer { g_variant_unref(made) }
            #expect(BusVariant(made) == expected)
        }
    }
}
