extension Configuration {
    /// A `[[station]]` section: an internet radio station.
    package struct Station: Hashable, Sendable {
        /// The name that clients see.
        package var name: String
        /// The stream's or playlist's address.
        package var url: String
        /// The picture: an absolute path, or an http or https address; nil without one.
        package var picture: String?
        /// Where it sends from.
        package var country: String?
        /// The kind of its music.
        package var genre: String?
        /// The address of its website.
        package var homepage: String?

        /// Makes a station.
        package init(name: String, url: String) { (self.name, self.url) = (name, url) }
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
            let picture = section.value("picture", .picture(home: directories.home))
            let country = section.value("country", .text("a country"))
            let genre = section.value("genre", .text("a genre"))
            let homepage = section.value("homepage", .streamURL)
            section.finish()
            guard let name, let url else { return nil }
            if !names.insert(name).inserted {
                section.complain("name", "\"\(name)\" is the name of another station too")
            }
            var station = Configuration.Station(name: name, url: url)
            (station.picture, station.country, station.genre, station.homepage) = (picture, country, genre, homepage)
            return station
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

    /// A file or an address on the web.
    fileprivate static func picture(home: String?) -> ValueKind {
        let path = ValueKind.path("a picture's path", home: home)
        return ValueKind(expected: "a path, or an address such as \"https://...\"", isSecret: true) {
            node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            let isAddress = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
            return isAddress ? try HTTPAddress.checked(text, allowsQuery: true) : try path.convert(node)
        }
    }
}
