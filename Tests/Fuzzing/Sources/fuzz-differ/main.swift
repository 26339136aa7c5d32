// Runs libFuzzer over pairs of models. Most other files here are links to those of the tests.

/// libFuzzer's entry for programs that have a `main` of their own (llvm.org/docs/LibFuzzer.html).
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ argumentCount: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
_ = runFuzzer(&argumentCount, &arguments) { bytes, count in
    let (source, target) = ModelReader.pair(from: Array(UnsafeBufferPointer(start: bytes, count: count)))
    do {
        try judge(source, target)
        try judgeDocuments(source, target)
    } catch {
        fatalError("\(error)\nsource: \(source)\ntarget: \(target)")
    }
    return 0
}
