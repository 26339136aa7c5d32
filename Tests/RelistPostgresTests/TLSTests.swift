import Glibc
import Logging
import TemporaryDatabase
import TemporaryPostgres
import Testing

@testable import RelistPostgres
@testable import ScreenService

@Suite("Connections over TLS", .timeLimit(.minutes(2))) struct TLSTests {
    @Test func aResultThatArrivesInLargeTLSRecordsIsReadWithoutDelay() async throws {
        let proxy = try TLSProxy(to: .shared)
        defer { try? proxy.remove() }
        let url = proxy.url(like: try PostgresServer.shared.newDatabase())
        let connection = try PostgresConnection(to: PostgresAddress(url), statementTimeout: .seconds(60))
        #expect(connection.isEncrypted)
        // With different numbers of rows, the last TLS record ends at different places in libpq's buffer, which has 16 KB.
        for count in 1...40 {
            let statement = Statement("SELECT repeat('x', 3000) FROM generate_series(1, $1)", [count.postgresArgument])
            #expect(try connection.run([statement], until: .now + .seconds(20))[0].rowCount == count)
        }
    }

    @Test func allNotificationsThatHaveArrivedAreReadByOneCall() async throws {
        let proxy = try TLSProxy(to: .shared)
        defer { try? proxy.remove() }
        let url = try PostgresServer.shared.newDatabase()
        let connection = try PostgresConnection(to: PostgresAddress(proxy.url(like: url)), statementTimeout: .seconds(60))
        try connection.script("LISTEN news", until: .now + .seconds(60))
        let (count, text) = (6, String(repeating: "x", count: 7000))
        try PostgresServer.shared.run("SELECT pg_notify('news', '\(text)' || i) FROM generate_series(1, \(count)) AS i", in: url)
        // A message consists of a letter, the length of the message, the process, the channel and the text. The channel and the text each
        // end with a zero byte.
        while Self.arrivedByteCount(on: connection) < count * (1 + 4 + 4 + 5 + text.utf8.count + 2) {
            try Task.checkCancellation()
            await Task.yield()
        }
        connection.receive()
        #expect(connection.notifications().count == count)
    }

    /// Returns the number of decrypted bytes in the complete TLS records that wait in the socket.
    private static func arrivedByteCount(on connection: PostgresConnection) -> Int {
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let end = recv(connection.descriptor, &bytes, bytes.count, Int32(MSG_PEEK))
        var (start, count) = (0, 0)
        // The header of a TLS record has 5 bytes. The last two bytes of the header are the length of the rest of the record, which
        // includes 17 bytes for a type and a tag (RFC 8446, section 5.2).
        while start + 5 <= end {
            let length = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
            start += 5 + length
            if start <= end { count += length - 17 }
        }
        return count
    }

    @Test func aStoreCanReadWriteAndListenOverTLS() async throws {
        let fixture = try await PostgresFixture()
        let proxy = try TLSProxy(to: .shared)
        defer { try? proxy.remove() }
        let store = try await PostgresServiceStore.open(
            url: proxy.url(like: fixture.url), migrations: [PostgresFixture.things], logger: Logger(label: "test"))
        let received = Announcements()
        received.observe(store.topics)
        let long = String(repeating: "é", count: 300_000)
        try await store.write { _ = try $0.write("INSERT INTO thing (id, name) VALUES (1, $1)", [long]) }
        #expect(try await fixture.store.read { try $0.row(of: nil, "SELECT name FROM thing") { try $0[0] as String } } == long)
        #expect(try await store.read { try $0.row(of: nil, "SELECT name FROM thing") { try $0[0] as String } } == long)

        let batch = HistoryBatch(saving: (0..<20).map { .some(version: $0, outline: Array(repeating: UInt8($0), count: 50_000)) })
        try await store.history.write(batch)
        #expect(try await Set(store.history.records(of: batch.saved.map(\.key))) == Set(batch.saved))

        // Each notification is nearly as large as possible.
        var last: Position?
        for number in 0..<20 {
            let name = "topic \(number) " + String(repeating: "t", count: 7000)
            last = try await fixture.store.database.write(for: nil) { $0.announce(Topic(name)) }.position
        }
        #expect(await store.topics.received!.wait(for: try #require(last), upTo: .seconds(60)))
        #expect(received.all.reduce(into: Set()) { $0.formUnion($1) }.count == 20)

        let reading = Task { try await store.read { try $0.row(of: nil, "SELECT pg_sleep(3600)::text") { _ in } } }
        try await fixture.isRunning("SELECT pg_sleep(3600)%")
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try await fixture.isOver("SELECT pg_sleep(3600)%")
        await store.close()
        await fixture.store.close()
    }
}
