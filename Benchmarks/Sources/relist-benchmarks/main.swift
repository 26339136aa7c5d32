// All groups, or those that are named: `relist-benchmarks changes`.
let groups: [(name: String, measure: () async throws -> Void)] = [
    ("rendering", measureRendering), ("outlines", measureOutlineDiffs), ("typed", measureTypedDiffs),
    ("history", measureHistory), ("changes", measureChanges),
]
let named = CommandLine.arguments.dropFirst()
for group in groups where named.isEmpty || named.contains(group.name) {
    try await group.measure()
}
