import Dispatch
import FuzzTargets
import Glibc

// libFuzzer's `main` would be shadowed by Swift's, so this program starts the driver itself.

/// What libFuzzer calls for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do {
        if try Fuzz.target.runAtOnce(bytes) { return 0 }
    } catch {
        fatalError("\(error)")
    }
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            try await Fuzz.target.run(bytes)
        } catch {
            fatalError("\(error)")
        }
        done.signal()
    }
    done.wait()
    return 0
}

private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The fuzzing program; `SEGUE_FUZZ_TARGET` names the target, the arguments are libFuzzer's.
@main
enum Fuzz {
    static let target: FuzzTarget = {
        let name = getenv("SEGUE_FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            fatalError("SEGUE_FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue))")
        }
        return target
    }()

    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(runDriver(&count, &arguments, testOneInput))
    }
}
