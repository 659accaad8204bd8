import Demonstration
import Desktop
import Extensions
import HomeAutomation
import Lidarr
import MPDImport
import NetworkStorages
import SegueConfiguration
import Wishes

/// The parts that the rest works without. To leave one out, remove its line and its import, and its target from
/// Package.swift.
let extensions: [any Extension.Type] = [
    DemonstrationExtension.self,
    DesktopExtension.self,
    HomeAutomationExtension.self,
    LidarrExtension.self,
    MPDImportExtension.self,
    NetworkStoragesExtension.self,
    WishesExtension.self,
]

let extensionSections = extensions.flatMap { $0.sections }
