import GRDB
import ScreenService

/// An observer that announces what commits have changed, by table and column.
///
/// Unchecked, as all but its making happens on the queue of the writing connection.
final class CommitObserver: TransactionObserver, @unchecked Sendable {
    private let topics: Topics
    private var tables: ObservedTables
    /// Since the transaction began: the columns that its statements set, of tables in which rows may have been updated.
    private var setColumns: [String: Set<String>] = [:]
    private var updatedTables: Set<String> = []
    /// What is stale if the transaction is committed, but for columns.
    private var touched: Set<Topic> = []
    /// What was committed while announcements are held.
    private var held: Set<Topic>?

    init(announcingTo topics: Topics, tables: ObservedTables) {
        self.topics = topics
        self.tables = tables
    }

    /// Keeps from announcing what the next commit has changed.
    func hold() {
        held = []
    }

    /// Announces what was held, and more with it: at once, so that who follows is shown all at once.
    func release(with named: Set<Topic> = []) {
        let stale = (held ?? []).union(named)
        held = nil
        if !stale.isEmpty { topics.announce(stale) }
    }

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        switch kind {
        case .insert(let table), .delete(let table):
            guard isTeams(table) else { return false }
            if tables.table(table)?.isSilent == true { touched.insert(TableTopics.rows(of: table)) }
        case .update(let table, let columns):
            guard isTeams(table) else { return false }
            setColumns[table, default: []].formUnion(columns)
            if tables.table(table)?.isSilent == true { updatedTables.insert(table) }
        }
        return true
    }

    func databaseDidChange() {
        touched.insert(TableTopics.everything)
    }

    func databaseDidChange(with event: DatabaseEvent) {
        switch event.kind {
        case .insert, .delete: touched.insert(TableTopics.rows(of: event.tableName))
        case .update: updatedTables.insert(event.tableName)
        }
    }

    func databaseDidCommit(_ database: Database) {
        var stale = touched
        for table in updatedTables { stale.formUnion(columns(of: table).map { TableTopics.column($0, of: table) }) }
        forget()
        if (try? ObservedTables.version(of: database)) != tables.version {
            stale.insert(TableTopics.everything)
            if let changed = try? ObservedTables(database) { tables = changed }
        }
        if held != nil { held?.formUnion(stale) } else if !stale.isEmpty { topics.announce(stale) }
    }

    func databaseDidRollback(_ database: Database) {
        forget()
    }

    private func forget() {
        (setColumns, updatedTables, touched) = ([:], [], [])
    }

    /// Those that were set, and those that may be computed from them.
    private func columns(of table: String) -> Set<String> {
        setColumns[table, default: []].union(tables.table(table)?.generatedColumns ?? [])
    }

    private func isTeams(_ table: String) -> Bool {
        !table.lowercased().hasPrefix(ServiceTables.prefix)
    }
}
