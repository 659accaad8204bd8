import NIOHTTP1

/// The header fields that every answer has, which keep the page apart from other websites.
struct SecurityHeaders {
    private let common: HTTPHeaders
    private let policy: String

    init(_ settings: WebSettings) {
        let ancestors = settings.frameAncestors.isEmpty ? "'none'" : settings.frameAncestors.joined(separator: " ")
        policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
            "media-src 'self'", "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors \(ancestors)", "require-trusted-types-for 'script'", "trusted-types worker",
        ].joined(separator: "; ")
        var common: HTTPHeaders = [
            "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
            "cross-origin-resource-policy": "same-origin", "cross-origin-opener-policy": "same-origin",
            "permissions-policy": "camera=(), microphone=(), geolocation=()",
        ]
        if settings.frameAncestors.isEmpty { common.add(name: "x-frame-options", value: "DENY") }
        self.common = common
    }

    /// Adds them to an answer's header; the policy goes with documents and whatever a browser might take for one.
    func add(to headers: inout HTTPHeaders, allowedOrigin: String?) {
        headers.add(contentsOf: common)
        headers.add(name: "content-security-policy", value: policy)
        guard let allowedOrigin else { return }
        headers.replaceOrAdd(name: "cross-origin-resource-policy", value: "cross-origin")
        headers.add(name: "access-control-allow-origin", value: allowedOrigin)
        headers.add(name: "vary", value: "origin")
    }
}
