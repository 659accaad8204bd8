import Testing

@testable import Outputs

@Suite("Texts of plug-ins")
struct PluginSettingTests {
    @Test("effects are elements with values, in gst-launch's form")
    func effects() throws {
        let chain = try EffectChain(" freeverb room-size=0.3 !ladspa-sc4-1882-so-sc4 threshold-level=-20 mode=\"a\" ")
        #expect(chain.effects.map(\.element) == ["freeverb", "ladspa-sc4-1882-so-sc4"])
        #expect(chain.effects[1].settings.map(\.property) == ["threshold-level", "mode"])
        #expect(chain.effects[1].settings.map(\.value) == ["-20", "a"])
        #expect(try EffectChain("equalizer-nbands band0::gain=-6").effects[0].settings[0].property == "band0::gain")
    }

    @Test(
        "texts that are no chain of elements are refused with the part that isn't understood",
        arguments: [
            "", " ", "!", "a !", "! a", "a ! ! b", "a b", "a =1", "a b=", "a b=c=d", "a name=\"x y\"",
            "a\nb", "filesrc location=/etc/passwd", "a b='1'", "(a)", "\"a\"", "ä", "a b=\u{0}", "a b=$(id)",
            "audio/x-raw,rate=8000", "a ! b. c=1;d",
        ])
    func noEffects(text: String) {
        #expect(throws: SettingProblem.self) { try EffectChain(text) }
    }

    @Test("long texts and long chains are refused")
    func limits() throws {
        let megabyte = String(repeating: "a", count: 1 << 20)
        for text in [megabyte, "a b=" + megabyte, String(repeating: "a!", count: 1 << 19)] {
            #expect(throws: SettingProblem.self) { try EffectChain(text) }
            #expect(throws: SettingProblem.self) { try FilterGraph(trusted: text) }
            #expect(throws: SettingProblem.self) { try FilterGraph(client: text) }
            var settings = FilterSettings()
            #expect(settings.set("effects", to: text) == false && settings.set("graph", to: text) == false)
        }
        let eight = Array(repeating: "volume", count: 8)
        #expect(try EffectChain(eight.joined(separator: "!")).effects.count == 8)
        #expect(throws: SettingProblem.self) { try EffectChain((eight + ["a"]).joined(separator: "!")) }
        #expect(throws: SettingProblem.self) {
            try FilterGraph(client: Array(repeating: "anull", count: 17).joined(separator: ","))
        }
    }

    @Test(
        "clients write graphs of filters that do nothing but filter",
        arguments: [
            "volume=-6dB", "acompressor=ratio=4:threshold=0.1, alimiter", "pan=stereo|c0=0.5*c0+0.5*c1|c1=c1",
            "compand=attacks=0.3:points=-70/-70|-60/-20|1/0", "anequalizer=c0 f=200 w=100 g=-10|c1 f=200 w=100 g=-10",
        ])
    func harmless(text: String) throws { #expect(try FilterGraph(client: text).text == text) }

    @Test(
        "graphs that read, write, load, connect or go on without an end are the configuration's alone",
        arguments: [
            "amovie=/etc/passwd", "volume,amovie=x", "volume , amovie", "movie=a", "arnndn=m=/a", "sofalizer=sofa=/a",
            "ladspa=file=/tmp/x.so", "lv2=p=x", "azmq", "asendcmd=f=/a", "ametadata=print:file=/a", "afir",
            "asr=hmm=/a",
            "firequalizer=dumpfile=/a", "loudnorm", "aloop=-1:size=2e9", "adelay=99999999", "aresample=2147483647",
            "volume=volume='while(1,0)'", "volume=while(1\\,0)", "volume=random(0)", "[in]anull[out]", "anull;anull",
            "volume@a", "anull,", ",anull", "=", "volume=1[", "volume=1\n,amovie=a", "volume=1\u{0},amovie=a",
            "volume,,amovie", "sws_flags=x", "VOLUME", "afftdn=/noise=a", "dynaudnorm=f=100:../a", "volume=file=a",
            "bs2b=stats_file=/a",
        ])
    func harmful(text: String) {
        #expect(throws: SettingProblem.self) { try FilterGraph(client: text) }
        var settings = FilterSettings()
        #expect(settings.set("graph", to: text) == false)
        #expect(settings == FilterSettings())
    }

    @Test("clients choose the configuration's graphs by name, whatever these hold, and its effects")
    func presets() throws {
        let graph = try FilterGraph(trusted: "amovie=/a.wav[b];[in][b]amix")
        let chain = try EffectChain("volume volume=0.5")
        let presets = FilterPresets(effects: ["Soft": chain], graphs: ["Mix": graph])
        var settings = FilterSettings()
        #expect(settings.set("graph", to: "Mix", presets: presets) == true && settings.graph == graph)
        #expect(settings.set("effects", to: "Soft", presets: presets) == true && settings.effects == chain)
        #expect(!settings.isPlain)
        #expect(settings.attributes(presets)["graph"] == "Mix" && settings.attributes(presets)["effects"] == "Soft")
        #expect(settings.set("graph", to: graph.text, presets: presets) == true)
        #expect(settings.set("graph", to: graph.text) == false && settings.graph == graph)
        #expect(settings.set("graph", to: "off") == true && settings.set("effects", to: "") == true)
        #expect(
            settings.isPlain && settings.attributes()["graph"] == "off" && settings.attributes()["effects"] == "off")
    }
}
