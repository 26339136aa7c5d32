try await measureRendering()
try await measureOutlineDiffs()
try await measureTypedDiffs()
try await measureHistory()
