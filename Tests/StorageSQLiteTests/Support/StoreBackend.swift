import ScreenService
import Storage
import StorageSQLite
import Testing

/// Something that keeps records. ``StoreTests`` run on each, always on a new one with the examples.
struct StoreBackend: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let withStore: @Sendable (_ body: @Sendable (any Store, Announcements) async throws -> Void) async throws -> Void

    static let all = [sqlite]

    private static let sqlite = StoreBackend(testDescription: "SQLite") { body in
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let store = try folder.open(announcements)
        try await body(store, announcements)
        await store.close()
    }
}

extension Store {
    /// The names of the topics that a read records.
    func topics(
        of body: @Sendable @escaping (any StoreReading) throws -> Void
    ) async throws -> Set<String> {
        let recorder = ReadRecorder()
        try await ReadRecorder.$current.withValue(recorder) { try await read(body) }
        return Set(recorder.topics.map(\.name))
    }
}
