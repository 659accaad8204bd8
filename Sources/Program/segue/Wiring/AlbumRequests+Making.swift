import Sync
import Lidarr
import Logging
import SegueConfiguration
import WebAPI

extension AlbumRequests {
    /// Takes Lidarr from `[lidarr]`; nil without it. An album that has come is searched for in the library at once.
    init?(_ configuration: Configuration, state: StateDirectory, _ upstream: UpstreamServices, _ pageEvents: PageEvents)
    {
        guard let lidarr = configuration.lidarr, !configuration.web.listen.isEmpty else { return nil }
        self.init(
            lidarr, path: state.path + "/requests.json", log: Logger(label: "segue.requests")
        ) { hasArrived in
            pageEvents.report(.requests)
            if hasArrived { _ = upstream.sync.startUpdate(uri: "", rescan: false) }
        }
    }
}
