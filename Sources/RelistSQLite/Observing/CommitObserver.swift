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
    /// Those that rows have come into or gone from.
    private var changedTables: Set<String> = []
    private var hasChangedUnseen = false
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

    // Asked before each statement that writes, of all that it may change; of deletes also when one is compiled.
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        switch kind {
        case .insert(let table), .delete(let table):
            guard isTeams(table) else { return false }
            if isSilent(table) { changedTables.insert(table) }
        case .update(let table, let columns):
            guard isTeams(table) else { return false }
            setColumns[table, default: []].formUnion(columns)
            // Of a virtual table, a hidden column may be read that stands for the others.
            if isSilent(table) { changedTables.insert(table) }
        }
        return true
    }

    func databaseDidChange() {
        hasChangedUnseen = true
    }

    func databaseDidChange(with event: DatabaseEvent) {
        switch event.kind {
        case .insert, .delete: changedTables.insert(event.tableName)
        case .update: updatedTables.insert(event.tableName)
        }
    }

    func databaseDidCommit(_ database: Database) {
        let isSchemaOther = (try? ObservedTables.versions(of: database)) != tables.versions
        var stale = stale
        if isSchemaOther || hasChangedUnseen { stale.insert(TableTopics.everything) }
        if isSchemaOther, let other = try? ObservedTables(database) { tables = other }
        forget()
        if held != nil { held?.formUnion(stale) } else if !stale.isEmpty { topics.announce(stale) }
    }

    func databaseDidRollback(_ database: Database) {
        forget()
    }

    private func forget() {
        (setColumns, updatedTables, changedTables, hasChangedUnseen) = ([:], [], [], false)
    }

    private var stale: Set<Topic> {
        var stale = Set(changedTables.map(TableTopics.rows))
        for table in updatedTables {
            let columns = setColumns[table, default: []]
            let known = tables.table(table)
            if known?.tellsRowsApart(anyOf: columns) ?? true { stale.insert(TableTopics.rows(of: table)) }
            stale.formUnion(columns.union(known?.generatedColumns ?? []).map { TableTopics.column($0, of: table) })
        }
        return stale
    }

    private func isSilent(_ table: String) -> Bool {
        tables.table(table)?.isSilent == true
    }

    private func isTeams(_ table: String) -> Bool {
        !table.lowercased().hasPrefix(ServiceTables.prefix)
    }
}
