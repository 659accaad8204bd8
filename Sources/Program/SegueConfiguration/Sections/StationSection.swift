extension Configuration {
    /// A `[[station]]` section: an internet radio station.
    package struct Station: Hashable, Sendable {
        /// The name that clients see.
        package var name: String
        /// The stream's or playlist's address.
        package var url: String
    }
}

extension ConfigurationReader {
    /// Reads the stations, each of which has a name of its own.
    func readStations(_ sections: [SectionReader]) -> [Configuration.Station] {
        var names: Set<String> = []
        return sections.compactMap { section in
            var section = section
            let name = section.required("name", .text("a station's name"), example: "name = \"Radio Nova\"")
            let url = section.required("url", .streamURL, example: "url = \"https://...\"")
            section.finish()
            guard let name, let url else { return nil }
            if !names.insert(name).inserted {
                section.complain("name", "\"\(name)\" is the name of another station too")
            }
            return Configuration.Station(name: name, url: url)
        }
    }
}

extension ValueKind where Value == String {
    /// The address of a stream, without credentials.
    fileprivate static var streamURL: ValueKind {
        ValueKind(expected: "an address such as \"https://...\"", isSecret: true) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            return try HTTPAddress.checked(text, allowsQuery: true)
        }
    }
}
