import GRDB
import ScreenService

/// Observes the commits of a connection, and announces the tables and columns that each commit has changed.
///
/// `Sendable` is unchecked. After its initialization, the observer is used only on the queue of the writing connection.
final class CommitObserver: TransactionObserver, @unchecked Sendable {
    private let topics: Topics
    private var tables: ObservedTables
    /// The columns that are set by the statements of the current transaction, grouped by table.
    private var setColumns: [String: Set<String>] = [:]
    /// The tables in which the current transaction has updated rows.
    private var updatedTables: Set<String> = []
    /// The tables in which the current transaction has inserted or deleted rows.
    private var changedTables: Set<String> = []
    private var hasUnknownChanges = false
    /// The topics of commits that are not announced yet; `nil` while commits are announced at once.
    private var held: Set<Topic>?

    init(announcingTo topics: Topics, tables: ObservedTables) {
        self.topics = topics
        self.tables = tables
    }

    /// Delays announcements until ``release(with:)``.
    func hold() {
        held = []
    }

    /// Announces the delayed topics and the topics in `named` in one announcement, so that followers are notified once. Later commits are
    /// announced at once.
    func release(with named: Set<Topic>) {
        let topics = (held ?? []).union(named)
        held = nil
        announce(topics)
    }

    private func announce(_ changed: Set<Topic>) {
        if !changed.isEmpty { topics.announce(changed) }
    }

    // GRDB calls this function before a statement that writes, for each table that the statement can change. GRDB also calls this
    // function when GRDB compiles a statement that deletes.
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        let table = kind.tableName
        guard !table.lowercased().hasPrefix(ServiceTables.prefix) else { return false }
        if case .update(_, let columns) = kind { setColumns[table, default: []].formUnion(columns) }
        // The whole table is announced, even if a statement updates only one column. Another statement can read a hidden column
        // that represents all columns of the table.
        if tables.table(table)?.hasNoUpdateHook == true { changedTables.insert(table) }
        return true
    }

    func databaseDidChange() {
        hasUnknownChanges = true
    }

    func databaseDidChange(with event: DatabaseEvent) {
        switch event.kind {
        case .insert, .delete: changedTables.insert(event.tableName)
        case .update: updatedTables.insert(event.tableName)
        }
    }

    func databaseDidCommit(_ database: Database) {
        let hasNewSchema = (try? ObservedTables.versions(of: database)) != tables.versions
        var changed = changedTopics
        if hasNewSchema || hasUnknownChanges { changed.insert(TableTopics.everything) }
        if hasNewSchema, let new = try? ObservedTables(database) { tables = new }
        reset()
        if held != nil { held?.formUnion(changed) } else { announce(changed) }
    }

    func databaseDidRollback(_ database: Database) {
        reset()
    }

    private func reset() {
        (setColumns, updatedTables, changedTables, hasUnknownChanges) = ([:], [], [], false)
    }

    private var changedTopics: Set<Topic> {
        var topics = Set(changedTables.map(TableTopics.rows))
        for table in updatedTables {
            let columns = setColumns[table, default: []]
            let known = tables.table(table)
            if known?.hasUniqueColumn(in: columns) ?? true { topics.insert(TableTopics.rows(of: table)) }
            topics.formUnion(columns.union(known?.generatedColumns ?? []).map { TableTopics.column($0, of: table) })
        }
        return topics
    }
}

extension DatabaseEventKind {
    fileprivate var tableName: String {
        switch self {
        case .insert(let table), .delete(let table), .update(let table, _): table
        }
    }
}
