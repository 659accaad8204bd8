import MusicModel
import UserLibrary

extension ConfigurationReader {
    /// Reads the stations, each of which has a name of its own.
    func readStations(_ sections: [SectionReader]) -> [Station] {
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
            return Station(
                name: name, url: url, picture: picture, country: country, genre: genre, homepage: homepage)
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

extension ValueKind where Value == StationPicture {
    /// A file or an address on the web.
    fileprivate static func picture(home: String?) -> ValueKind {
        let path = ValueKind<String>.path("a picture's path", home: home)
        return ValueKind(expected: "a path, or an address such as \"https://...\"", isSecret: true) {
            node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            let isAddress = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
            if isAddress { return .address(try HTTPAddress.checked(text, allowsQuery: true)) }
            return try path.convert(node).map { .file($0) }
        }
    }
}
