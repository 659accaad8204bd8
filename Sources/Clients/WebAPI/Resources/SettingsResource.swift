import MPDProtocol
import NIOHTTP1
import WebServer

/// The configuration as it is in use; a secret is never part of an answer.
enum SettingsResource {
    static let routes = [
        Route(.GET, "/api/settings", .admin) { request in
            let facts = request.api.parts.facts
            let addresses = facts.addresses()
            return .json { json in
                json.object { json in
                    json.array("sections", facts.settings) { json, section in
                        json.object { json in
                            json.field("name", section.name)
                            json.array("keys", section.keys) { json, entry in
                                json.object { json in
                                    json.field("key", entry.key)
                                    switch entry.value {
                                    case .text(let text): json.field("value", text)
                                    case .secret: json.field("secret", true)
                                    }
                                }
                            }
                        }
                    }
                    json.field("version", facts.version)
                    json.field("addresses", addresses)
                }
            }
        }
    ]
}
