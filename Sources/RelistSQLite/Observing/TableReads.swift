import GRDB
import ScreenService
import Synchronization

/// What statements read, by table and column: each is compiled for it once.
final class TableReads: Sendable {
    /// Of how many statements it is remembered, and of which length in bytes: some have their values in their text, and are
    /// never seen again.
    private static let limit = 1024
    private static let lengthLimit = 4096

    private struct State {
        var tables: ObservedTables?
        var topics: [String: Set<Topic>] = [:]
    }

    private let state = Mutex(State())

    /// How many statements are remembered.
    var count: Int { state.withLock { $0.topics.count } }

    /// Runs `body` in a read transaction, and records all that it reads, be it that it throws because of what it has found.
    func recording<Value>(
        to recorder: ReadRecorder, on database: Database, _ body: (StatementTrace) throws -> Value
    ) throws -> Value {
        let trace = StatementTrace()
        let outcome = Result { try trace.noting(on: database) { try body(trace) } }
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
        // What cannot be compiled alone reads what nobody knows; what it reads in a table is stale with any row of one.
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
    /// What is stale when something in a region has changed.
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

    /// What is stale when anything has changed.
    fileprivate var topics: Set<Topic> {
        Set(tables.values.flatMap { table in
            [TableTopics.rows(of: table.name)] + table.columns.map { TableTopics.column($0, of: table.name) }
        })
    }
}
