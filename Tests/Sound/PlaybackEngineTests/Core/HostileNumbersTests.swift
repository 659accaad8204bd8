import Coordination
import Foundation
import MusicModel
import Testing

@testable import AudioFiles
@testable import AudioOutputs
@testable import PlaybackEngine

/// Numbers from headers and servers that no music has.
@Suite struct HostileNumbersTests {
    private func big(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(count - 1 - $0))) }
    }

    private func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
        big(UInt64(body.count + 8), 4) + Array(name.utf8) + body
    }

    /// An MP4 file with one sound and an edit list.
    private func mp4(rate: UInt64, length: UInt64, start: UInt64, duration: UInt64, filmTicks: UInt64) -> [UInt8] {
        let long: [UInt8] = [1, 0, 0, 0]
        let film = box("mvhd", long + big(0, 16) + big(filmTicks, 4) + big(.max >> 5, 8) + big(0, 80))
        let head = box("mdhd", long + big(0, 16) + big(rate, 4) + big(length, 8) + big(0, 4))
        let handler = box("hdlr", big(0, 8) + Array("soun".utf8) + big(0, 12))
        let list = box("elst", long + big(1, 4) + big(duration, 8) + big(start, 8) + big(1 << 16, 4))
        let track = box("tkhd", long + big(0, 24) + big(.max >> 5, 8) + big(0, 60))
        let movie = film + box("trak", track + box("edts", list) + box("mdia", head + handler))
        return box("ftyp", Array("M4A ".utf8) + big(0, 4)) + box("moov", movie)
    }

    @Test(
        "edit lists of any numbers are read without overflow",
        arguments: [UInt64(0), 1, 1024, 1 << 31, 1 << 43, (1 << 52) - 1, 1 << 62, .max])
    func edits(number: UInt64) {
        for rate: UInt64 in [1000, 44_100, 768_000] {
            for ticks: UInt64 in [1, 1000, UInt64(UInt32.max)] {
                let bytes = mp4(rate: rate, length: number, start: number / 2, duration: number, filmTicks: ticks)
                let trim = TrackHeader.read(HeaderBytes(bytes)).trim
                #expect(trim?.isPlausible != false)
                for rate in [1000, 1_536_000] { _ = (trim?.skip(at: rate), trim?.frames(at: rate)) }
                _ = (trim?.skipped, trim?.duration)
            }
        }
    }

    @Test("frames and times of any size come out within 64 bits", arguments: [Int64.min, -1, 0, 1, 1 << 62, .max])
    func layouts(number: Int64) {
        for rate in [0, 1, 1000, 44_100, 1_536_000, 2_147_483_647] {
            let layout = SampleLayout(rate: rate, channels: 2)
            _ = (layout.frames(in: Nanoseconds(count: number)), layout.length(frames: Int(number)))
            #expect(layout.blockFrames(in: .milliseconds(40)) >= 1)
        }
    }

    @Test("any crossfade is shorter than the songs")
    func crossfades() {
        var settings = CrossfadeSettings()
        let song = CrossfadeSettings.Song(duration: .seconds(60))
        for seconds in [Int.max, Int.max / 1_000_000_000 + 1, 59] {
            settings.seconds = seconds
            #expect(settings.overlap(of: song, and: song)?.length ?? .zero < .seconds(60))
        }
    }

    // MARK: Snapcast

    private func clients(_ count: Int, percent: String, name: String = "A") -> [UInt8] {
        let clients = (0..<count).map { number in
            """
            {"config":{"name":"\(name)","volume":{"muted":false,"percent":\(percent)}},"connected":true,\
            "host":{"name":"pi"},"id":"c\(number)"}
            """
        }
        return Array(
            """
            {"id":1,"result":{"server":{"groups":[{"clients":[\(clients.joined(separator: ","))],"id":"g",\
            "muted":false,"name":"\(name)","stream_id":"\(name)"}]}}}
            """.utf8)
    }

    @Test(
        "volumes of any size from a Snapcast server are brought to percents",
        arguments: ["9223372036854775807", "-9223372036854775808", "1e300", "-5", "101", "1e30", "49.9"])
    func volumes(percent: String) throws {
        var rooms = SnapcastRooms(stream: nil)
        rooms.handle(try #require(SnapcastMessage.parse(clients(3, percent: percent))))
        #expect(rooms.clients.allSatisfy { (0...100).contains($0.volume.percent) })
        #expect(rooms.rooms.count == 4)
        rooms.setVolume("group g", 50)
        _ = rooms.takeRequests()
    }

    @Test("a Snapcast server of ten thousand clients fills nothing")
    func crowd() throws {
        var rooms = SnapcastRooms(stream: nil)
        rooms.handle(try #require(SnapcastMessage.parse(clients(10_000, percent: "50"))))
        #expect(rooms.clients.count == SnapcastMessage.maxRooms)
        #expect(rooms.rooms.allSatisfy { $0.name.utf8.count < 2048 })
    }

    @Test("names from a Snapcast server can't write lines into answers, nor fill them")
    func names() throws {
        var rooms = SnapcastRooms(stream: nil)
        let name = "x\\noutputenabled: 1\\u0000\\u001b[2J" + String(repeating: "ü", count: 5000)
        rooms.handle(try #require(SnapcastMessage.parse(clients(300, percent: "50", name: name))))
        for room in rooms.rooms {
            let texts = [room.name] + room.attributes.map { $0.key + $0.value }
            #expect(texts.allSatisfy { text in text.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
            #expect(texts.allSatisfy { $0.utf8.count <= 2048 })
        }
    }

    @Test("a mailbox that is closed gives what was left, and takes nothing more")
    func mailbox() {
        let mailbox = Mailbox<Int>()
        #expect(mailbox.post(1))
        #expect(mailbox.close() == [1])
        #expect(!mailbox.post(2))
        #expect(mailbox.close().isEmpty && mailbox.take(waitingMilliseconds: 0).isEmpty)
    }
}
