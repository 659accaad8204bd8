import Logging
import MusicModel
import Supervision
import SegueConfiguration

/// Lets the page change settings, and takes over what can change while the server runs.
struct PageSettings: SettingsChanging {
    private let store: SettingsStore
    private let log: Logger

    init(_ store: SettingsStore, log: Logger) { (self.store, self.log) = (store, log) }

    var settings: [Setting] { store.settings }

    func change(_ changes: [String: SettingValue?], from address: String) throws(SettingRefusal) {
        try store.change(changes)
        let level = store.logLevel
        // The line is seen with the old level or the new one, whichever lets it through.
        StandardErrorLog.level = min(StandardErrorLog.level, level)
        let keys = changes.keys.sorted().joined(separator: ", ")
        log.notice("settings were changed on the page", metadata: ["keys": "\(keys)", "peer": "\(address)"])
        StandardErrorLog.level = level
    }
}
