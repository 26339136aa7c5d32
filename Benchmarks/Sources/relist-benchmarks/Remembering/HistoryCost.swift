import CMalloc
import ScreenModel
import ScreenService

/// Measures the memory that one version needs in history. Compares the number of bytes that the service counts with the number that the
/// allocator counts.
func measureHistory() async throws {
    let count = 500
    let version = try await bytesOfVersion(count, sections: 0, cells: 0)
    let sections = try await bytesOfVersion(count, sections: 100, cells: 0)
    let cells = try await bytesOfVersion(count, sections: 1, cells: 1000)
    let section = (sections - version) / 100
    row("version", version, 128)
    row("section", section, 20)
    row("cell", (cells - version - section) / 1000, 16)
}

private func row(_ what: String, _ bytes: Bytes, _ limit: Int) {
    Table.row(
        "history, a \(what)", "\(bytes.counted.rounded(to: 1)) bytes, \(bytes.allocated.rounded(to: 1)) of the heap",
        measured: bytes.counted, atMost: (Double(limit), "\(limit) bytes")
    )
}

private struct Bytes {
    /// The size of the versions in bytes, according to the service.
    var counted: Double
    /// The growth of the heap, in bytes.
    var allocated: Double

    static func - (a: Bytes, b: Bytes) -> Bytes {
        Bytes(counted: a.counted - b.counted, allocated: a.allocated - b.allocated)
    }

    static func / (a: Bytes, divisor: Double) -> Bytes {
        Bytes(counted: a.counted / divisor, allocated: a.allocated / divisor)
    }
}

private func bytesOfVersion(_ count: Int, sections: Int, cells: Int) async throws -> Bytes {
    let model = Prebuilt.model(sections: sections, cells: cells)
    let contents = (0..<count).map { ScreenContent(title: "version \($0)", model: model) }
    let bench = try await Bench(contents, cacheBytes: 0)
    let before = allocatedBytes()
    for index in contents.indices { consume(try await bench.service.snapshot(of: try bench.view(of: index)).value) }
    await bench.history.flush()
    let allocated = allocatedBytes() - before
    return Bytes(
        counted: Double(bench.service.usage.versionBytes) / Double(count), allocated: Double(allocated) / Double(count)
    )
}

private func allocatedBytes() -> Int {
    let usage = mallinfo2()
    return usage.uordblks + usage.hblkhd
}
