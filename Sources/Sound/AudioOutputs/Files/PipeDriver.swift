import AudioFiles
import Coordination
import Glibc
import MusicModel
import Outputs

/// Writes raw samples to the standard input of a program that it starts; a program that ends is restarted.
final class PipeDriver: OutputDriver {
    /// The program ends soon after the music does, so that a device of its is free for others.
    let idleLimit: Nanoseconds? = .seconds(5)
    private let command: String
    private let format: AudioFormat
    private var descriptor: Int32 = -1
    private var program: ChildProgram?
    private var converter: SampleConverter?

    init(_ specification: OutputSpecification) {
        command = specification.command ?? ""
        format = specification.rawFormat
    }

    func prepare() throws(OutputProblem) {
        if command.isEmpty { throw OutputProblem("it has no command") }
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        try prepare()
        converter = try SampleConverter(to: format)
        OutputProblem.ignoreBrokenPipes()
        let ends: PipeEnds
        do throws(ChildProgram.Failure) { ends = try PipeEnds() } catch {
            throw OutputProblem("the program can't be started: \(error)")
        }
        defer { Glibc.close(ends.reading) }
        do throws(ChildProgram.Failure) {
            program = try ChildProgram(["/bin/sh", "-c", command], input: ends.reading)
        } catch {
            Glibc.close(ends.writing)
            throw OutputProblem("/bin/sh can't be started: \(error)")
        }
        descriptor = ends.writing
        // A program that doesn't read may not hold the thread without limit.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    func write(_ block: SampleBlock) throws(OutputProblem) { if let converter { try send(converter.convert(block)) } }

    /// A program that takes nothing for longer hangs.
    private static let patience: Nanoseconds = .seconds(5)

    private func send(_ bytes: [UInt8]) throws(OutputProblem) {
        var done = 0
        var lastTaken = Monotonic.now
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if count > 0 {
                done += count
                lastTaken = Monotonic.now
            } else if errno == EAGAIN {
                guard Monotonic.now - lastTaken < Self.patience else {
                    throw OutputProblem("the program takes no sound; does it hang?")
                }
                _ = Descriptors.wait(for: [(descriptor, POLLOUT)], milliseconds: 100)
            } else if errno != EINTR {
                throw OutputProblem(ending)
            }
        }
    }

    private var ending: String {
        if let ending = program?.ending(within: 100) {
            program = nil
            return "the program has ended \(ending); does its command work?"
        }
        return "the program has closed its input"
    }

    func close() {
        if descriptor >= 0 {
            if let rest = converter?.finish() {
                // It is ended in any case.
                do throws(OutputProblem) { try send(rest) } catch {}
            }
            Glibc.close(descriptor)
        }
        // It may play what it has, and is ended if that takes too long.
        program?.end(after: 1000, grace: 300)
        (descriptor, converter, program) = (-1, nil, nil)
    }
}

extension OutputProblem {
    /// A reader that goes away must not end the process; blocked on this thread, the signal stays without effect.
    static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
