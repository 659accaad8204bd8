import MPDProtocol
import MPDSessions
import MusicModel
import NetworkAddresses
import Outputs

extension ValueKind where Value == Permission {
    static var permissions: ValueKind {
        ValueKind(expected: "a list of " + Permission.words.asQuotedList) { node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            return try Permission(words: texts)
        }
    }
}

extension Permission {
    fileprivate static var words: [String] { named.map(\.name) }

    /// The permissions of these names, with what `control` brings along.
    fileprivate init(words: [String]) throws(ValueComplaint) {
        if let unknown = words.first(where: { !Self.words.contains($0) }) {
            throw ValueComplaint(Self.words.complaint(about: unknown))
        }
        self = Permission(names: words) ?? []
    }
}

extension ValueKind where Value == [AccessRules.Host] {
    /// A list of addresses or networks, each with permissions behind a space, as MPD writes them.
    static var hostPermissions: ValueKind {
        let expected = "a list such as [\"192.168.0.0/24 read,add,player\"]"
        return ValueKind(expected: expected) { node throws(ValueComplaint) in
            guard let texts = node.textList ?? node.plainText.map({ [$0] }) else { return nil }
            var hosts: [AccessRules.Host] = []
            for text in texts {
                let host = try AccessRules.Host(text)
                guard !hosts.contains(where: { $0.network == host.network }) else {
                    throw ValueComplaint("\"\(host.network)\" is listed twice")
                }
                hosts.append(host)
            }
            return hosts
        }
    }
}

extension AccessRules.Host {
    /// Reads `ADDRESS PERMISSION,...`; spaces may stand for the commas, as the environment needs these.
    init(_ text: String) throws(ValueComplaint) {
        let parts = text.split { $0 == " " || $0 == "," }.map(String.init)
        guard let first = parts.first, let network = AddressRange(first) else {
            throw ValueComplaint(
                "\"\(parts.first ?? text)\" is not an address; write one such as \"192.168.0.7\" or "
                    + "\"192.168.0.0/24\", a space, and the permissions")
        }
        self.init(network, try Permission(words: Array(parts.dropFirst())))
    }
}

extension ValueKind where Value == UInt32 {
    /// A file mode in octal digits, as a text, since TOML has no numbers that begin with 0.
    static var socketMode: ValueKind {
        ValueKind(expected: "octal digits in quotation marks such as \"0660\"") { node in
            guard let text = node.plainText, (3...4).contains(text.utf8.count), let mode = UInt32(text, radix: 8),
                mode <= 0o777
            else { return nil }
            return mode
        }
    }
}

extension ValueKind where Value == AudioFormat {
    static var pcmFormat: ValueKind {
        ValueKind(expected: "rate:bits:channels such as \"44100:16:2\" or \"*:24:2\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            do throws(SettingProblem) { return try AllowedFormat.pcm(Substring(text)) } catch {
                throw ValueComplaint(error.description)
            }
        }
    }
}

extension ValueKind where Value == [AllowedFormat] {
    /// A list of formats, also as MPD writes it: in one text with spaces between them.
    static var allowedFormats: ValueKind {
        ValueKind(expected: "a list of formats such as [\"44100:16:2\", \"96000:*:*\", \"dsd64:2=dop\"]") {
            node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            do throws(SettingProblem) { return try AllowedFormat.list(texts.joined(separator: " ")) } catch {
                throw ValueComplaint(error.description)
            }
        }
    }
}

extension ValueKind where Value == Duration? {
    /// The time after which a device is closed in a pause, or none.
    static var pauseLimit: ValueKind {
        ValueKind(expected: "true, false, or seconds from 0 to 3600") { node in
            switch node.value {
            case .boolean(true), .text("true"), .text("yes"): .some(.seconds(10))
            case .boolean(false), .text("false"), .text("no"): .some(nil)
            case .integer(let number) where (0...3600).contains(number): .some(.seconds(number))
            case .text(let text): Int(text).flatMap { (0...3600).contains($0) ? .some(.seconds($0)) : nil }
            default: nil
            }
        }
    }
}
