import TestModels

/// Makes two models of the bytes, and checks their changesets, their documents, and renderings that reuse parts of earlier renderings.
func checkDiffer(_ bytes: [UInt8]) {
    judge(ModelReader.pair(from: bytes)) { source, target in
        try judge(source, target)
        try judgeDocuments(source, target)
    }
    let repeating = ModelReader.pair(from: bytes, repeats: true)
    judge(repeating, judgeTyped)
    judge(repeating, judgeRendering)
}

private func judge(_ pair: (TestModel, TestModel), _ judge: (TestModel, TestModel) throws -> Void) {
    do { try judge(pair.0, pair.1) } catch { fatalError("\(error)\nsource: \(pair.0)\ntarget: \(pair.1)") }
}
