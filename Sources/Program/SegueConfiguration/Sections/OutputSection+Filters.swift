import Foundation
import MusicModel
import Outputs

/// The equalizers and impulse responses, and what outputs do to their sound.
extension ConfigurationReader {
    /// Reads the `[[equalizer]]` sections, by name.
    func readEqualizers(_ sections: [SectionReader]) -> [String: EqualizerCurve] {
        var curves: [String: EqualizerCurve] = [:]
        for section in sections {
            var section = section
            let name = section.required("name", .text("a name"), example: "name = \"Headphones\"")
            let file = section.value("file", .path("a file's path", home: directories.home))
            let filters = section.value("filters", .text("filters such as \"PK 105 -2.5 1.41; HSC 10000 3 0.7\""))
            section.finish()
            guard let name else { continue }
            guard (file == nil) != (filters == nil) else {
                section.complain("filters", "an equalizer has either filters or a file with them")
                continue
            }
            if name == "off" || curves[name] != nil {
                section.complain("name", "\"\(name)\" has another meaning already; choose another name")
            }
            do throws(SettingProblem) {
                let text = if let file { try Self.text(of: file) } else { filters ?? "" }
                curves[name] = try EqualizerCurve(text)
            } catch { section.complain(filters == nil ? "file" : "filters", error.description) }
        }
        return curves
    }

    /// Reads the `[[impulse_response]]` sections: paths by name.
    func readImpulseResponses(_ sections: [SectionReader]) -> [String: String] {
        var paths: [String: String] = [:]
        for section in sections {
            var section = section
            let name = section.required("name", .text("a name"), example: "name = \"Living room\"")
            let file = section.required(
                "file", .path("a sound file's path", home: directories.home), example: "file = \"~/room.wav\"")
            section.finish()
            guard let name, let file else { continue }
            if ["0", "1", "on", "off"].contains(name) || paths[name] != nil {
                section.complain("name", "\"\(name)\" has another meaning already; choose another name")
            }
            paths[name] = file
        }
        return paths
    }

    private static func text(of file: String) throws(SettingProblem) -> String {
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw SettingProblem("\(file) can't be read")
        }
        // Longer ones are no equalizers, and are refused by their length.
        guard let bytes = try? handle.read(upToCount: 65_537), let text = String(data: bytes, encoding: .utf8) else {
            throw SettingProblem("\(file) is not a text file")
        }
        return text
    }

    /// Reads what an output does to its sound.
    func readFilters(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        if let name = section.value("equalizer", .text("an equalizer's name")),
            output.filters.set("equalizer", to: name, presets: output.presets) != true
        {
            section.complain("equalizer", "\"\(name)\" is neither an [[equalizer]] of this file nor filters")
        }
        section.read("mono", .flag, into: &output.filters.isMono)
        section.read("balance", .integer(-100...100), into: &output.filters.balance)
        section.read(
            "delay", .integer(0...FilterSettings.maxDelay, unit: "milliseconds"), into: &output.filters.delay)
        section.read("crossfeed", .flag, into: &output.filters.hasCrossfeed)
        section.read("levelling", .flag, into: &output.filters.isLevelled)
        let named = output.presets.impulseResponses
        if let found = section.value("impulse_response", .impulseResponse(named, home: directories.home)) {
            output.filters.impulseResponse = found.path
            output.filters.impulseResponseName = found.name
        }
        readPlugins(&section, &output)
    }

    /// Reads which channels go where, once the output's format is known.
    func readRoute(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        section.read("route", .route, into: &output.route)
        guard let route = output.route, let channels = output.format?.channels, channels > 0 else { return }
        if route.targets > channels {
            section.complain(
                "route", "names channel \(route.targets - 1), but the format has \(channels); they count from 0")
        }
    }
}

extension ValueKind where Value == (path: String, name: String?) {
    /// The name of an impulse response, or the path of one.
    fileprivate static func impulseResponse(_ named: [String: String], home: String?) -> ValueKind {
        ValueKind(expected: "a sound file's path, or the name of an [[impulse_response]]") {
            node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            if let path = named[text] { return (path, text) }
            let path = try AbsolutePath.expand(text, home: home)
            return (path, nil)
        }
    }
}

extension ValueKind where Value == ChannelRoute {
    /// Pairs of channels.
    fileprivate static var route: ValueKind {
        ValueKind(expected: "pairs of channels such as \"0>0, 1>1, 0>2, 1>3\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            do throws(ChannelRouteProblem) { return try ChannelRoute(text) } catch {
                throw ValueComplaint(error.description)
            }
        }
    }
}
