import GRDB
import ScreenService
import Synchronization

/// Determines the topics that statements read, and caches the topics by the text of the statement.
final class TableReads: Sendable {
    /// The maximum number of cached statements. Without this limit, statements with values in their text would fill the memory.
    private static let limit = 1024
    /// The maximum length in bytes of a statement that is cached.
    private static let lengthLimit = 4096

    private struct State {
        var tables: ObservedTables?
        var topics: [String: Set<Topic>] = [:]
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.topics.count } }

    /// Runs `body`, and records the topics of everything that it reads, even if it throws.
    func recording<Value>(
        to recorder: ReadRecorder, on database: Database, _ body: (StatementTrace) throws -> Value
    ) throws -> Value {
        let trace = StatementTrace()
        let outcome = Result { try trace.recording(on: database) { try body(trace) } }
        recorder.record(TableTopics.everything)
        let tables = try tables(of: database)
        for text in trace.texts {
            for topic in topics(of: text, tables, on: database) { recorder.record(topic) }
        }
        return try outcome.get()
    }

    private func tables(of database: Database) throws -> ObservedTables {
        let versions = try ObservedTables.versions(of: database)
        if let tables = state.withLock({ $0.tables }), tables.versions == versions { return tables }
        let tables = try ObservedTables(database)
        state.withLock { $0 = State(tables: tables) }
        return tables
    }

    private func topics(of text: String, _ tables: ObservedTables, on database: Database) -> Set<Topic> {
        if let known = state.withLock({ $0.topics[text] }) { return known }
        // If a statement cannot be compiled on its own, it is treated as a statement that reads all tables.
        let topics = (try? database.makeStatement(sql: text).databaseRegion).map { tables.topics(in: $0) } ?? tables.topics
        state.withLock { state in
            guard state.tables?.versions == tables.versions, text.utf8.count <= Self.lengthLimit else { return }
            if state.topics.count >= Self.limit { state.topics = [:] }
            state.topics[text] = topics
        }
        return topics
    }
}

extension ObservedTables {
    fileprivate func topics(in region: DatabaseRegion) -> Set<Topic> {
        var topics: Set<Topic> = []
        for table in tables.values where region.isModified(byEventsOfKind: .insert(tableName: table.name)) {
            topics.insert(TableTopics.rows(of: table.name))
            for column in table.columns where region.isModified(byEventsOfKind: .update(tableName: table.name, columnNames: [column])) {
                topics.insert(TableTopics.column(column, of: table.name))
            }
        }
        return topics
    }

    fileprivate var topics: Set<Topic> {
        Set(
            tables.values.flatMap { table in
                [TableTopics.rows(of: table.name)] + table.columns.map { TableTopics.column($0, of: table.name) }
            })
    }
}
