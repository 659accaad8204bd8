import CSound
import NetworkAddresses
import Synchronization

/// How GStreamer's sources for the web connect, also those that demuxers make on their own for the playlists, keys and
/// pieces of HLS and DASH: they don't know the stream's element then, so what counts for them counts for the process.
enum WebSources {
    private static let proxy = Mutex<WebProxy?>(nil)

    /// Has all sources that are made from now on ask through a proxy what that doesn't leave out.
    static func use(_ proxy: WebProxy?) { self.proxy.withLock { $0 = proxy } }
    static func usesProxy(forURL url: String) -> Bool { proxy.withLock { $0 }?.isUsed(forURL: url) ?? false }

    /// Prepares the sources; loads their plug-in, unless that has happened.
    static func prepare() {
        segue_set_up_web_sources { source, uri in
            guard let source, let uri else { return }
            WebSources.configure(source, forURL: String(cString: uri))
        }
    }

    private static func configure(_ source: UnsafeMutablePointer<GstElement>, forURL url: String) {
        segue_set_string(source, "user-agent", "segue")
        let proxy = proxy.withLock { $0 }.flatMap { $0.isUsed(forURL: url) ? $0 : nil }
        // An empty text also takes back the proxy that the source finds in the environment, which is none of ours.
        segue_set_string(source, "proxy", proxy?.address ?? "")
        guard let user = proxy?.user else { return }
        segue_set_string(source, "proxy-id", user)
        segue_set_string(source, "proxy-pw", proxy?.password ?? "")
    }
}
