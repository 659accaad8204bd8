@testable import Sync
import Testing

@Suite("Which folders are mounted")
struct MountTableTests {
    private func mount(_ name: String, _ storage: String = "/x") -> MountTable.Mount {
        MountTable.Mount(name: name, storage: storage)
    }

    @Test("a source at the root is no mount, others are shown before those of clients")
    func shown() {
        let table = MountTable(
            configured: [mount("", "navidrome"), mount("disk", "/music")], saved: [mount("usb", "/media/usb")])
        #expect(table.shown == [mount("disk", "/music"), mount("usb", "/media/usb")])
        #expect(table.folders == [mount("usb", "/media/usb")] && table.new.isEmpty && table.leftOut.isEmpty)
    }

    @Test("a saved folder gives way to a source of the configuration, and is named")
    func leftOut() {
        let table = MountTable(configured: [mount("disk", "/music")], saved: [mount("disk", "/old"), mount("usb")])
        #expect(table.folders == [mount("usb")] && table.leftOut == ["disk"])
        #expect(table.shown == [mount("disk", "/music"), mount("usb")])
    }

    @Test("folders that are added take no name that is taken, even of one that is left out")
    func added() {
        let table = MountTable(
            configured: [mount("disk")], saved: [mount("usb"), mount("disk", "/old")],
            added: [mount("disk", "/other"), mount("usb", "/other"), mount("nas")])
        #expect(table.new == [mount("nas")] && table.folders == [mount("usb"), mount("nas")])
    }
}
