import Foundation
import MPDProtocol
import MusicModel
import NIOCore
import NIOHTTP1
import WebServer

/// The configuration in use; some keys can be changed. A secret is never part of an answer.
enum SettingsResource {
    static let routes = [
        Route(.GET, "/api/settings", .admin) { request in
            let parts = request.api.parts
            return .object { json in
                json.array("sections", parts.facts.settings()) { $0.section($1) }
                json.array("writable", parts.settings?.settings ?? []) { $0.setting($1) }
                writeFacts(parts.facts, &json)
            }
        },
        Route(.PUT, "/api/settings", .admin) { request in
            guard let settings = request.api.parts.settings else {
                throw APIError(.forbidden, code: .permission, "Settings are not kept here; the demonstration has none.")
            }
            let changes = try changes(try await request.body())
            do throws(SettingRefusal) {
                try settings.change(changes, from: request.http.connection.peer?.ipAddress ?? "unknown")
            } catch {
                throw APIError(error)
            }
            return .object { json in
                json.array("settings", settings.settings.filter { changes.keys.contains($0.key) }) {
                    $0.setting($1)
                }
            }
        },
    ]

    private static func writeFacts(_ facts: WebFacts, _ json: inout JSONWriter) {
        json.field("version", facts.version)
        json.field("addresses", facts.addresses())
        json.field("keysChanged", facts.secretsChanged().map { JSONWriter.time(Int64($0.timeIntervalSince1970)) })
        let figures = facts.figures()
        json.field("cache") { json in
            guard let cache = figures.cache else { return json.null() }
            json.object { json in
                json.field("size", Int(cache.size))
                json.field("limit", Int(cache.limit))
                json.field("hits", figures.cacheHits)
                json.field("misses", figures.cacheMisses)
            }
        }
    }

    /// The maximum length of texts and lists; no key takes as much.
    private static let maxLength = 256

    static func changes(_ body: JSONValue) throws(APIError) -> [String: SettingValue?] {
        guard case .object(let fields) = body, !fields.isEmpty else {
            throw APIError(.badRequest, code: .argument, "Name a setting, as in {\"server.log_level\": \"debug\"}.")
        }
        guard fields.count <= maxLength else {
            throw APIError(.badRequest, code: .argument, "These are too many keys.")
        }
        var changes: [String: SettingValue?] = [:]
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard key.utf8.count <= maxLength else { throw .wrong("", "There is no key of so long a name.") }
            changes.updateValue(try setting(value, key), forKey: key)
        }
        return changes
    }

    private static func setting(_ value: JSONValue, _ key: String) throws(APIError) -> SettingValue? {
        switch value {
        case .null: return nil
        case .bool(let flag): return .flag(flag)
        case .number(let number): return Int(exactly: number).map { .integer($0) } ?? .number(number)
        case .text(let text):
            guard text.utf8.count <= maxLength else { throw .wrong(key, "\(key): the text is too long.") }
            return .text(text)
        case .array(let elements):
            let texts = elements.compactMap(\.text)
            guard texts.count == elements.count, texts.count <= maxLength,
                texts.allSatisfy({ $0.utf8.count <= maxLength })
            else { throw .wrong(key, "\(key): a list has to be one of short texts.") }
            return .list(texts)
        case .object: throw .wrong(key, "\(key): a section can't be set as a whole; set its keys one by one.")
        }
    }
}

extension APIError {
    init(_ refusal: SettingRefusal) {
        switch refusal.reason {
        case .unknown, .wrong: self.init(.badRequest, code: .argument, refusal.message, field: refusal.key)
        case .forbidden: self.init(.forbidden, code: .permission, refusal.message, field: refusal.key)
        case .conflict: self.init(.conflict, code: .exist, refusal.message, field: refusal.key)
        case .unwritable: self.init(.serviceUnavailable, code: .system, refusal.message)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func section(_ section: SettingsSection) {
        object { json in
            json.field("name", section.name)
            json.objects("keys", section.keys) { json, entry in
                json.field("key", entry.key)
                switch entry.value {
                case .text(let text): json.field("value", text)
                case .secret: json.field("secret", true)
                }
            }
        }
    }

    /// Writes a key that can be changed: its values, the one that counts, and where that comes from.
    fileprivate mutating func setting(_ setting: Setting) {
        object { json in
            json.field("key", setting.key)
            json.shape(setting.shape)
            json.field("value") { $0.settingValue(setting.value) }
            json.field("source", setting.source.rawValue)
            json.field("onPage", setting.isOnPage)
            json.field("inFile", setting.isInFile)
            json.field("atOnce", setting.isTakenOverAtOnce)
            json.field("waitsForRestart", setting.waitsForRestart)
        }
    }

    private mutating func shape(_ shape: SettingShape) {
        switch shape {
        case .flag: field("type", "flag")
        case .integer(let range, let unit): numbers("integer", range, unit)
        case .number(let range, let unit): numbers("number", range, unit)
        case .choice(let words): choices("choice", words)
        case .list(let words): choices("list", words)
        case .size(let least, let most):
            field("type", "size")
            field("least", least)
            field("most", most)
        }
    }

    private mutating func numbers(_ type: String, _ range: ClosedRange<Int>, _ unit: String) {
        field("type", type)
        field("least", range.lowerBound)
        field("most", range.upperBound)
        field("unit", unit)
    }

    private mutating func choices(_ type: String, _ words: [String]) {
        field("type", type)
        field("choices", words)
    }

    private mutating func settingValue(_ value: SettingValue) {
        switch value {
        case .flag(let flag): self.value(flag)
        case .integer(let number): self.value(number)
        case .number(let number): self.value(number)
        case .text(let text): self.value(text)
        case .list(let texts): array { for text in texts { $0.value(text) } }
        }
    }
}
