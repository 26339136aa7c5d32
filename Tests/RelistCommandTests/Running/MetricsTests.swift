import Foundation
import RawClient
import TemporaryDatabase
import TemporaryPostgres
import Testing

@Suite("The list of metrics", .timeLimit(.minutes(2))) struct MetricsTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Documentation/Operations.md")

    /// Returns the names and types in the table of metrics. The names that a server prints only with PostgreSQL are marked there.
    private func listed(withPostgres: Bool) throws -> [String: String] {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let rows = page.matches(of: #/\n\| `([a-z_]+)(?:\{[a-z, ]+\})?` \| (counter|gauge|histogram) \| ([^|]+) \| [^|]+ \|/#)
        let kept = rows.filter { withPostgres || !$0.3.hasPrefix("With PostgreSQL: ") }
        return Dictionary(uniqueKeysWithValues: kept.map { (String($0.1), String($0.2)) })
    }

    @Test(arguments: [false, true])
    func theDocumentationListsTheMetricsThatAServerHas(withPostgres: Bool) async throws {
        let database = withPostgres ? try PostgresServer.shared.newDatabase() : nil
        let server = try await RunningServer(in: TemporaryFolder(), database: database)
        let text = try await server.ask("GET", "/metrics").text
        let types = text.matches(of: #/# TYPE (\w+) (\w+)\n/#).map { (String($0.1), String($0.2)) }
        let shown = Dictionary(uniqueKeysWithValues: types)
        let listed = try listed(withPostgres: withPostgres)
        #expect(Set(shown.keys).subtracting(listed.keys).sorted() == [], "These metrics are not listed.")
        #expect(Set(listed.keys).subtracting(shown.keys).sorted() == [], "There are no such metrics.")
        #expect(listed == shown)
        #expect(text.matches(of: #/# HELP /#).count == shown.count)
        #expect(await server.stop(SIGINT).status == 0)
    }
}
