// Runs libFuzzer on the differ, or on one of the readers of bytes that clients, servers and databases send. The environment variable CHECK
// names the check.

import Foundation

/// The function of libFuzzer for programs that have their own `main` (llvm.org/docs/LibFuzzer.html).
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ argumentCount: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The chosen check. It is global, because a function of C captures nothing.
nonisolated(unsafe) private var check: ([UInt8]) -> Void = { _ in }

let name = ProcessInfo.processInfo.environment["CHECK"] ?? ""
let checks = Readers.all.merging(["differ": checkDiffer]) { _, differ in differ }
guard let chosen = checks[name] else {
    fatalError("CHECK must be one of \(checks.keys.sorted().joined(separator: ", "))")
}
check = chosen
var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
_ = runFuzzer(&argumentCount, &arguments) { bytes, count in
    check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
