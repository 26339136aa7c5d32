// Runs libFuzzer on pairs of models. The script `run` adds links to files of the tests to this folder.

import TestModels

/// The function of libFuzzer for programs that have their own `main` (llvm.org/docs/LibFuzzer.html).
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ argumentCount: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
_ = runFuzzer(&argumentCount, &arguments) { bytes, count in
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    judge(ModelReader.pair(from: input)) { source, target in
        try judge(source, target)
        try judgeDocuments(source, target)
    }
    let repeating = ModelReader.pair(from: input, repeats: true)
    judge(repeating, judgeTyped)
    judge(repeating, judgeRendering)
    return 0
}

private func judge(_ pair: (TestModel, TestModel), _ judge: (TestModel, TestModel) throws -> Void) {
    do { try judge(pair.0, pair.1) } catch { fatalError("\(error)\nsource: \(pair.0)\ntarget: \(pair.1)") }
}
