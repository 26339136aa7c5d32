import CMalloc
import Foundation
import ScreenClient
import ScreenWire

/// Measures a client: the time to apply a changeset, the time to perform it on a list view, the time to decode a snapshot, and the memory of
/// a followed screen.
func measureClients() async throws {
    try await measureApplying()
    try await measurePerforming()
    try await measureDecoding()
    try await measureLiveScreens()
}

/// Measures how long it takes to apply a changeset of one cell to a snapshot of 2,000 cells. Only one variable holds the snapshot, so no
/// cells need to be copied.
private func measureApplying() async throws {
    let (before, after) = (ShownDocument(cells: 2000), ShownDocument(cells: 2000, version: "b", changed: 1000))
    let (there, back) = (try before.changeset(to: after), try after.changeset(to: before))
    var tree = try before.tree()
    let repetitions = 100
    let times = try await Rounds.medians({
        for _ in 0..<repetitions / 2 {
            try tree.apply(there)
            try tree.apply(back)
        }
    })
    let bytes = peakBytes {
        do { try tree.apply(there) } catch { fatalError("\(error)") }
    }
    let microseconds = times[0] / .microseconds(1) / Double(repetitions)
    let text = "\(microseconds.rounded(to: 1)) µs, \(bytes) bytes of new memory"
    Table.row("apply a changeset of one cell to 2,000 cells", text, measured: microseconds, atMost: (50, "50 µs"))
    // A copy of the array of cells has at least 16,000 bytes. If less memory was allocated, the array was not copied.
    Table.row("copied cells of this change", bytes < 16_000 ? "none" : "\(bytes / 8)", measured: Double(bytes), atMost: (16_000, "none"))
}

/// Measures how long it takes to decode the bytes of a snapshot into the typed values of its 2,000 cells.
private func measureDecoding() async throws {
    struct Document: Decodable {
        struct Section: Decodable {
            let id: String
            let cells: [ShownCell]
        }
        let version: String
        let sections: [Section]
    }
    let document = ShownDocument(cells: 2000)
    let registry = CellRegistry()
    registry.register(ShownCell.self, as: "sample")
    let times = try await Rounds.medians(
        {
            let cells = try document.tree().sections.flatMap(\.cells)
            let values = cells.compactMap { registry.value(of: $0).as(ShownCell.self) }
            guard values.count == 2000 else { fatalError("a cell did not decode") }
            consume(values)
        },
        { consume(try JSONDecoder().decode(Document.self, from: Data(document.bytes))) }
    )
    let ratio = times[0] / times[1]
    let text = "\(ratio.rounded(to: 2)) × JSONDecoder (\(times[0].text), \(times[1].text))"
    Table.row("decode 2,000 cells of \(document.bytes.count) bytes", text, measured: ratio, atMost: (2, "2 ×"))
}

/// Measures the memory of the screens that one client follows on streams. Each screen has one cell.
@MainActor
private func measureLiveScreens() async throws {
    let count = 1000
    let client = ScreenClient(
        base: URL(string: "http://benchmark")!, transport: SilentTransport(document: ShownDocument(cells: 1).bytes), snapshots: nil,
        attempts: nil)
    var screens: [LiveScreen] = []
    var following: [Task<Void, Never>] = []
    count_allocations(true)
    for number in 0..<count {
        let screen = client.screen("samples", ["number": String(number)])
        screens.append(screen)
        following.append(Task { await screen.follow() })
    }
    for screen in screens {
        while screen.connection != .streaming { await Task.yield() }
    }
    let bytes = counted_peak()
    count_allocations(false)
    for task in following { task.cancel() }
    let kilobytes = Double(bytes) / 1024 / Double(count)
    Table.row("1,000 live screens on streams, each", "\(kilobytes.rounded(to: 1)) KB", measured: kilobytes, atMost: (20, "20 KB"))
}

/// A transport whose streams confirm the version and then send nothing more.
struct SilentTransport: ClientTransport {
    let document: [UInt8]

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        TransportResponse(status: 200, headers: [("Content-Type", "application/json")], body: document)
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        TransportStream(status: 200, headers: [("Content-Type", "text/event-stream")]) { receive in
            try await receive(Array("event: current\ndata: {\"version\":\"a\"}\n\n".utf8))
            try await Task.sleep(for: .seconds(86_400))
        }
    }
}
