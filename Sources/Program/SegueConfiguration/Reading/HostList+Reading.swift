import NetworkAddresses

extension HostList {
    /// Reads host names, addresses and ranges of addresses.
    ///
    /// - Throws: a complaint that names the first text that is none of them.
    init(_ texts: [String]) throws(ValueComplaint) {
        var (names, ranges): ([String], [AddressRange]) = ([], [])
        for text in texts {
            if let range = AddressRange(text) {
                ranges.append(range)
            } else if text.contains(where: { !($0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0))) })
                || text.isEmpty
            {
                throw ValueComplaint(
                    "\"\(text)\" is not a host; write a name, an address or a network such as \"192.168.1.0/24\"")
            } else {
                names.append(text)
            }
        }
        self.init(names: names, ranges: ranges)
    }
}

extension ValueKind where Value == HostList {
    /// A list of hosts; it may be empty, and a single one may stand without brackets.
    static var hosts: ValueKind {
        ValueKind(expected: "a list of host names, addresses or networks such as \"192.168.1.0/24\"") {
            node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            return try HostList(texts)
        }
    }
}
