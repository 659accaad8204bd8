import Foundation
import MPDProtocol
import NIOHTTP1
import WebServer

/// The configuration as it is in use; a secret is never part of an answer.
enum SettingsResource {
    static let routes = [
        Route(.GET, "/api/settings", .admin) { request in
            let facts = request.api.parts.facts
            let addresses = facts.addresses()
            let (figures, changed) = (facts.figures(), facts.secretsChanged())
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
                    json.field("keysChanged", changed.map { JSONWriter.time(Int64($0.timeIntervalSince1970)) })
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
            }
        }
    ]
}
