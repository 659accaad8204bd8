import Foundation
import MusicModel
package import NetworkAddresses

extension Configuration {
    /// The `[http]` section: how other servers are reached.
    package struct HTTP: Hashable, Sendable {
        /// The proxy that is to be used.
        package var proxy: WebProxy?
        /// True if a proxy from the environment is used when this section names none.
        var usesEnvironment = true

        init(reading section: inout SectionReader) {
            let direct = section.value("no_proxy", .directHosts) ?? []
            let user = section.value("proxy_user", .text("the name of a user of the proxy"))
            let password = section.value("proxy_password", .secret)
            guard let address = section.value("proxy", .proxy) else { return }
            usesEnvironment = false
            guard address != "none", var proxy = WebProxy(address, direct: direct) else { return }
            if let user { proxy.user = user }
            if let password { proxy.password = password.reveal() }
            self.proxy = proxy
        }

        /// The proxy of the configuration, or else that of the environment.
        package var proxyInUse: WebProxy? {
            if let proxy { return proxy }
            return usesEnvironment ? WebProxy(environment: ProcessInfo.processInfo.environment) : nil
        }
    }
}

extension ValueKind where Value == String {
    fileprivate static var proxy: ValueKind {
        ValueKind(
            expected: "an address such as \"http://proxy.example.org:3128\", or \"none\"", isSecret: true
        ) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            guard text != "none" else { return text }
            guard let proxy = WebProxy(text) else {
                throw ValueComplaint("is not a proxy's address such as \"http://proxy.example.org:3128\"")
            }
            guard proxy.user == nil else {
                throw ValueComplaint("contains a user or password; write them as proxy_user and proxy_password")
            }
            return text
        }
    }
}

extension ValueKind where Value == [String] {
    fileprivate static var directHosts: ValueKind {
        ValueKind(expected: "a list of host names, addresses or networks such as \"192.168.0.0/16\"") {
            node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            // Names may begin with a dot here, as other programs have them.
            _ = try HostList(texts.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 })
            return texts
        }
    }
}
