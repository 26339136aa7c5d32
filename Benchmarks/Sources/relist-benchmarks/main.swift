// Runs the groups of measurements that the arguments name, such as `relist-benchmarks changes`. Without arguments, runs all
// groups.
let groups: [(name: String, measure: () async throws -> Void)] = [
    ("rendering", measureRendering), ("outlines", measureOutlineDiffs), ("typed", measureTypedDiffs),
    ("history", measureHistory), ("changes", measureChanges), ("clients", measureClients),
]
let named = CommandLine.arguments.dropFirst()
for group in groups where named.isEmpty || named.contains(group.name) {
    try await group.measure()
}
