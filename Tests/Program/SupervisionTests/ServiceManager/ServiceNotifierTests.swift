import Foundation
import Glibc
import Testing

@testable import Supervision

/// The manager's side: a datagram socket with what arrived.
final class Manager {
    private let descriptor: Int32

    init(_ name: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        let bound = try #require(SocketName(name)).withSocketAddress { bind(descriptor, $0, $1) }
        try #require(bound == 0)
    }

    deinit { close(descriptor) }

    var message: String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}

@Suite("Telling the service manager")
struct ServiceNotifierTests {
    @Test(
        "messages arrive at a path and at an abstract name",
        arguments: ["/tmp/segue-\(getpid())-notify", "@segue-\(getpid())"])
    func arrives(name: String) throws {
        defer { unlink(name) }
        let manager = try Manager(name)
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": name])
        #expect(notifier.isListening)
        #expect(notifier.ready(status: "Stopped, 8 songs"))
        #expect(manager.message == "READY=1\nSTATUS=Stopped, 8 songs")
        #expect(notifier.keepAlive() && notifier.stopping())
        #expect(manager.message == "WATCHDOG=1")
        #expect(manager.message == "STOPPING=1")
        notifier.extendTimeout(seconds: 45, status: "Opening")
        #expect(manager.message == "EXTEND_TIMEOUT_USEC=45000000\nSTATUS=Opening")
        #expect(manager.message == nil)
    }

    @Test("a reload has the time of the monotonic clock")
    func reload() throws {
        let manager = try Manager("@segue-reload-\(getpid())")
        ServiceNotifier(environment: ["NOTIFY_SOCKET": "@segue-reload-\(getpid())"]).reloading()
        let lines = try #require(manager.message).split(separator: "\n")
        #expect(lines.first == "RELOADING=1")
        let time = try #require(lines.last).dropFirst("MONOTONIC_USEC=".count)
        #expect(try #require(Int64(time)) > 0)
    }

    @Test("a title can't become another message, and a long one is cut between characters")
    func hostileStatus() throws {
        let manager = try Manager("@segue-hostile-\(getpid())")
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": "@segue-hostile-\(getpid())"])
        notifier.status("Playing a\nSTOPPING=1\r\u{2028}\u{85}\u{0}b")
        #expect(manager.message == "STATUS=Playing a STOPPING=1    b")
        notifier.status(String(repeating: "ö", count: 100_000))
        #expect(manager.message == "STATUS=" + String(repeating: "ö", count: ServiceNotifier.statusLimit / 2))
    }

    @Test(
        "without a manager nothing is sent and nothing fails",
        arguments: [nil, "", "@", "relative", "vsock:2:1", "/" + String(repeating: "x", count: 200), "/nonexistent/x"])
    func withoutManager(name: String?) {
        let notifier = ServiceNotifier(environment: name.map { ["NOTIFY_SOCKET": $0] } ?? [:])
        #expect(!notifier.ready())
        #expect(notifier.isListening == (name == "/nonexistent/x"))
    }

    @Test("a manager that doesn't read holds nothing up")
    func fullQueue() throws {
        let manager = try Manager("@segue-full-\(getpid())")
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": "@segue-full-\(getpid())"])
        var sent = 0
        while sent < 100_000, notifier.keepAlive() { sent += 1 }
        #expect(sent < 100_000)
        #expect(manager.message == "WATCHDOG=1")
        #expect(notifier.keepAlive())
    }
}

@Suite("The watchdog")
struct WatchdogTests {
    @Test("is fed twice as often as it must be")
    func interval() {
        let watchdog = Watchdog(environment: ["WATCHDOG_USEC": "180000000", "WATCHDOG_PID": "7"], processID: 7)
        #expect(watchdog?.timeout == .seconds(180))
        #expect(watchdog?.interval == .seconds(90))
        #expect(Watchdog(environment: ["WATCHDOG_USEC": "2000000"], processID: 7)?.interval == .seconds(1))
    }

    @Test(
        "of another process, or one that makes no sense, is none",
        arguments: [
            [:], ["WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "8"], ["WATCHDOG_USEC": "0"], ["WATCHDOG_USEC": "-5"],
            ["WATCHDOG_USEC": "soon"], ["WATCHDOG_USEC": "99999999999999999999"],
        ])
    func none(environment: [String: String]) {
        #expect(Watchdog(environment: environment, processID: 7) == nil)
    }
}
