import Foundation
import MPDProtocol
import NIOCore
import NIOHTTP1
import Testing
import WebServer

@testable import WebAPI

@Suite("openapi.json")
struct OpenAPITests {
    private let paths: [String: [String: [String: Any]]]

    init() throws {
        let file = try #require(PageFiles().file(named: "openapi.json"))
        let whole = try JSONSerialization.jsonObject(with: Data(file.readableBytesView)) as? [String: Any]
        paths = try #require(whole?["paths"] as? [String: [String: [String: Any]]])
    }

    @Test("describes every route, and no other, with the permission that it needs")
    func routes() {
        var described: [String: String] = [:]
        for (path, operations) in paths {
            for (method, operation) in operations {
                described["\(method.uppercased()) \(path)"] = operation["x-permission"] as? String
            }
        }
        var known: [String: String] = [:]
        for route in RouteTable.routes {
            known["\(route.method.rawValue) \(route.template)"] =
                route.permission == .none ? "none" : route.permission.names.joined(separator: ",")
        }
        #expect(described == known)
    }

    @Test("names what stands in braces, and says what every operation is for")
    func parameters() {
        for (path, operations) in paths {
            let names = path.split(separator: "/").filter { $0.first == "{" }.map { String($0.dropFirst().dropLast()) }
            for (method, operation) in operations {
                let parameters = operation["parameters"] as? [[String: Any]] ?? []
                let inPath = parameters.filter { $0["in"] as? String == "path" }.compactMap { $0["name"] as? String }
                #expect(inPath == names, "\(method) \(path)")
                #expect((operation["summary"] as? String)?.isEmpty == false)
            }
        }
    }

    @Test("no two routes match the same request")
    func ambiguity() {
        for route in RouteTable.routes {
            let path = route.template.split(separator: "/").map(String.init)
            let matching = RouteTable.routes.filter { $0.method == route.method && $0.match(path) != nil }
            #expect(matching.count == 1, "\(route.method) \(route.template)")
        }
    }
}
