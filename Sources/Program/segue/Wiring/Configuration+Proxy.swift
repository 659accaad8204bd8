import Coordination
import Foundation
import MusicModel
import NetworkAddresses
import MediaLookup
import SegueConfiguration
import Subsonic

extension SubsonicSettings {
    /// The server of the configuration, and the proxy on the way to it; nil without a server.
    ///
    /// - Throws: `StateFileError` when there is no credential.
    static func reaching(_ configuration: Configuration, state: StateDirectory) throws -> SubsonicSettings? {
        guard let navidrome = configuration.navidrome else { return nil }
        var settings = try SubsonicSettings(navidrome, state: state)
        settings.clientName = clientName(
            on: ProcessInfo.processInfo.hostName, stateDirectory: configuration.server.stateDirectory)
        settings.proxy = configuration.http.proxyInUse
        settings.allowMedia(PlaylistHosts(allowed: configuration.playlists.privateHosts))
        return settings
    }

    /// Lets the server have its files fetched from the internet, and from the hosts that the configuration names.
    private mutating func allowMedia(_ hosts: PlaylistHosts) {
        placeOfMedia = { [proxy] host in
            do {
                let isElsewhere = proxy?.isUsed(for: host) == true
                return try await hosts.address(of: host, mayBePrivate: false, isResolvedElsewhere: isElsewhere).address
            } catch {
                throw SubsonicError(
                    .redirected,
                    """
                    The server redirects its files to \(host.quotable(utf8: 200)), which has no address or is private; \
                    private_hosts in [playlists] can allow it.
                    """, cause: error)
            }
        }
    }
}
