// Runs libFuzzer on one of the readers of bytes that clients, servers and databases send. The environment variable READER names it.

import Foundation

/// The function of libFuzzer for programs that have their own `main` (llvm.org/docs/LibFuzzer.html).
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ argumentCount: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The check of the chosen reader. It is global, because a function of C captures nothing.
nonisolated(unsafe) private var check: ([UInt8]) -> Void = { _ in }

let name = ProcessInfo.processInfo.environment["READER"] ?? ""
guard let chosen = Readers.all[name] else {
    fatalError("READER must be one of \(Readers.all.keys.sorted().joined(separator: ", "))")
}
check = chosen
var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
_ = runFuzzer(&argumentCount, &arguments) { bytes, count in
    check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
