import CSound
import Coordination
import Foundation
import MusicModel
import Testing

@testable import AudioFiles

/// When the reading of a file is given up.
@Suite("Watching what reads files")
struct DiscoveryWatchTests {
    /// What a thread of a pipeline does: it pauses its own task, as demuxers do that look for a place, and goes on.
    private final class Seeking {
        let pad: UnsafeMutablePointer<GstPad>
        let state = Monitor((isPaused: false, isOver: false))
        init(_ pad: UnsafeMutablePointer<GstPad>) { self.pad = pad }
    }

    @Test("a thread that has paused its task, but still works, does not rest")
    func rest() throws {
        try #require(GStreamerLibrary.failure == nil)
        let pipeline = try #require(PipelineReference(launch: "identity name=work ! fakesink"))
        let element = try #require(pipeline.child("work"))
        let pad = try #require(gst_element_get_static_pad(element.pointer, "src"))
        defer { segue_unref(pad) }
        #expect(segue_pipeline_rests(pipeline.element.pointer) == 0)
        pipeline.setState(GST_STATE_PAUSED)
        let work = Seeking(pad)
        gst_pad_start_task(
            pad,
            { work in
                guard let work else { return }
                let seeking = Unmanaged<Seeking>.fromOpaque(work).takeUnretainedValue()
                _ = gst_pad_pause_task(seeking.pad)
                seeking.state.update { $0.isPaused = true }
                _ = seeking.state.wait(milliseconds: 60_000) { $0.isOver ? true : nil }
            }, Unmanaged.passUnretained(work).toOpaque(), nil)
        try #require(work.state.wait(milliseconds: 60_000) { $0.isPaused ? true : nil } == true)
        #expect(gst_pad_get_task_state(pad) == GST_TASK_PAUSED)
        #expect(segue_pipeline_rests(pipeline.element.pointer) == 0)
        work.state.update { $0.isOver = true }
        let end = Monotonic.now + .seconds(60)
        while segue_pipeline_rests(pipeline.element.pointer) == 0, Monotonic.now < end { usleep(1000) }
        #expect(segue_pipeline_rests(pipeline.element.pointer) != 0)
        _ = gst_pad_stop_task(pad)
        withExtendedLifetime(work) {}
    }

    @Test("time counts only where the reader has the processor and the disk answers")
    func time() {
        var time = ReadingTime()
        let look = Nanoseconds.milliseconds(50)
        // A thread that runs in circles, and one that waits for a thing that never comes.
        for _ in 0..<20 { time.add(look, look, isWaitingForDisk: false) }
        #expect(time.total == .seconds(1))
        for _ in 0..<20 { time.add(look, .zero, isWaitingForDisk: false) }
        #expect(time.total == .seconds(2))
        // Several threads at work.
        time.add(look, look * 4, isWaitingForDisk: false)
        #expect(time.total == .milliseconds(2050))
        // Others have the processor, a process that was stopped for an hour, and a disk that sleeps.
        time.add(look, .milliseconds(5), isWaitingForDisk: false)
        #expect(time.total == .milliseconds(2055))
        time.add(.seconds(3600), .zero, isWaitingForDisk: false)
        #expect(time.total == .milliseconds(2155))
        for _ in 0..<1000 { time.add(look, .zero, isWaitingForDisk: true) }
        #expect(time.total == .milliseconds(2155))
    }
}
