import GRDB
import ScreenService

/// Announces the tables and columns that each commit of a connection has changed.
///
/// Before a statement writes, GRDB reports the tables that the statement can change, and the columns that an update sets. Then GRDB reports
/// each changed row. The observer collects these reports and announces the topics after the commit.
///
/// `Sendable` is unchecked, because the observer is used only on the queue of the writing connection after its initialization.
final class CommitObserver: TransactionObserver, @unchecked Sendable {
    private let topics: Topics
    private var tables: ObservedTables
    private var columnsSetByUpdates: [String: Set<String>] = [:]
    private var updatedTables: Set<String> = []
    private var tablesWithInsertsOrDeletes: Set<String> = []
    private var hasUnknownChanges = false
    /// The topics of delayed announcements; `nil` if announcements are not delayed.
    private var delayedTopics: Set<Topic>?

    init(announcingTo topics: Topics, tables: ObservedTables) {
        self.topics = topics
        self.tables = tables
    }

    /// Delays announcements until ``release(with:)``.
    func hold() {
        delayedTopics = []
    }

    /// Ends the delay, and announces the delayed topics together with the topics in `named`, so that followers are notified only once.
    func release(with named: Set<Topic>) {
        let topics = (delayedTopics ?? []).union(named)
        delayedTopics = nil
        announce(topics)
    }

    private func announce(_ changed: Set<Topic>) {
        if !changed.isEmpty { topics.announce(changed) }
    }

    // GRDB calls this function before a statement that writes, and when it compiles a statement that deletes.
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        let table = kind.tableName
        guard !table.lowercased().hasPrefix(ServiceTables.prefix) else { return false }
        if case .update(_, let columns) = kind { columnsSetByUpdates[table, default: []].formUnion(columns) }
        // SQLite does not report the changed rows of this table, so every statement that can write to it counts as an insert or a delete.
        // This applies even to an update: a reader of a hidden column of a virtual table can depend on all columns, so the columns that the
        // update sets do not show which readers are affected.
        if tables.table(table)?.hasNoUpdateHook == true { tablesWithInsertsOrDeletes.insert(table) }
        return true
    }

    func databaseDidChange() {
        hasUnknownChanges = true
    }

    func databaseDidChange(with event: DatabaseEvent) {
        switch event.kind {
        case .insert, .delete: tablesWithInsertsOrDeletes.insert(event.tableName)
        case .update: updatedTables.insert(event.tableName)
        }
    }

    func databaseDidCommit(_ database: Database) {
        let hasNewSchema = (try? ObservedTables.versions(of: database)) != tables.versions
        var changed = changedTopics
        if hasNewSchema || hasUnknownChanges { changed.insert(TableTopics.everything) }
        if hasNewSchema, let new = try? ObservedTables(database) { tables = new }
        reset()
        if delayedTopics != nil { delayedTopics?.formUnion(changed) } else { announce(changed) }
    }

    func databaseDidRollback(_ database: Database) {
        reset()
    }

    private func reset() {
        (columnsSetByUpdates, updatedTables, tablesWithInsertsOrDeletes, hasUnknownChanges) = ([:], [], [], false)
    }

    private var changedTopics: Set<Topic> {
        var topics = Set(tablesWithInsertsOrDeletes.map(TableTopics.rows))
        for table in updatedTables {
            let columns = columnsSetByUpdates[table, default: []]
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
