import CSound
import Testing

@Suite("Messages of effects")
struct EffectMessageTests {
    @Test("are freed")
    func freed() throws {
        gst_init(nil, nil)
        let element = try #require(segue_effect_make("volume"))
        let effect = try #require(segue_effect_new(element, 48_000, 2, 0, 0))
        var freed = 0
        withUnsafeMutablePointer(to: &freed) { freed in
            for _ in 0..<100 {
                guard let message = gst_message_new_latency(nil) else { continue }
                message.withMemoryRebound(to: GstMiniObject.self, capacity: 1) {
                    gst_mini_object_weak_ref(
                        $0, { data, _ in data?.assumingMemoryBound(to: Int.self).pointee += 1 }, freed)
                }
                gst_element_post_message(element, message)
            }
        }
        segue_effect_free(effect)
        segue_unref(element)
        #expect(freed == 100)
    }

    @Test("about levels and spectra are posted by none, as nothing hears them")
    func silent() throws {
        gst_init(nil, nil)
        for name in ["level", "spectrum"] {
            guard let element = segue_effect_make(name) else { continue }
            #expect(segue_effect_set(element, "post-messages", "true") != nil)
            #expect(segue_effect_set(element, "interval", "1") != nil)
            segue_unref(element)
        }
    }
}
