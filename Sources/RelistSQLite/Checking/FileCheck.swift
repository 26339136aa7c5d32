import Foundation
import GRDB
import GRDBSQLite
import ScreenService

/// A check of a database file that opens the file only for reading and creates no file.
struct FileCheck {
    let schema: Schema

    func findings(on path: String) -> [CheckFinding] {
        do {
            let file = try FilePath(resolving: path)
            try file.checkAccess()
            let size = FilePath.size(of: file.name) + FilePath.size(of: file.name + "-wal")
            return contentFindings(of: file) + [FreeSpace(beside: file).finding(forDatabaseOf: size)]
        } catch {
            return [Self.failure(error)]
        }
    }

    private static func failure(_ error: DatabaseFileError) -> CheckFinding { .error("database", error.description) }

    private func contentFindings(of file: FilePath) -> [CheckFinding] {
        guard file.exists("") else { return [.ok("database", "\(file.name) does not exist; the server creates it at its start")] }
        let access = CheckFinding.ok("database", "\(file.name) can be read and written")
        // The locks are checked before SQLite opens the file, because closing a descriptor releases SQLite's own locks on the file.
        let use = Self.use(of: file)
        do {
            guard let database = try Self.connection(to: file) else {
                let missing = "cannot be read while \(file.name)-shm is missing. Start the server, which creates it, and check again."
                return [access, use, .warning("content", missing)]
            }
            return [access, use] + (try database.read { try contentFindings(of: file, in: $0) })
        } catch let error as DatabaseFileError {
            return [access, use, Self.failure(error)]
        } catch let error as DatabaseError {
            return [access, use, Self.failure(DatabaseFileError(error, path: file.name))]
        } catch {
            return [access, use, .error("content", "cannot be read: \(error). Restore a copy, or name another file.")]
        }
    }

    /// A server in use is only a warning, because before a deployment the server of the previous version usually runs.
    private static func use(of file: FilePath) -> CheckFinding {
        guard case .inUse(_, let process)? = DatabaseLocks.error(forDatabase: file.name) else {
            return .ok("use", "no server has the database open")
        }
        let name = process.map { "process \($0)" } ?? "another process"
        return .warning("use", "\(name) has the database open. Stop it before the new server starts.")
    }

    // MARK: - Content

    private func contentFindings(of file: FilePath, in database: Database) throws -> [CheckFinding] {
        guard let pending = try schema.pending(in: database, path: file.name) else {
            return [.ok("schema", "the file is empty; the server creates its tables at its start")]
        }
        return [Self.schemaFinding(pending), try Self.soundness(of: database, file), Self.durability(of: database)]
    }

    private static func schemaFinding(_ pending: [String]) -> CheckFinding {
        guard !pending.isEmpty else { return .ok("schema", "it is the schema of this program") }
        let steps = pending.joined(separator: ", ")
        return .warning("schema", "the server runs these migrations at its start: \(steps). Back up first, since they cannot be undone.")
    }

    private static func soundness(of database: Database, _ file: FilePath) throws -> CheckFinding {
        let faults = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
        guard faults == ["ok"] else {
            return .error("content", "\(DatabaseFileError.damaged(path: file.name)) SQLite says: \(faults.first ?? "nothing").")
        }
        return .ok("content", "quick_check finds no damage")
    }

    private static func durability(of database: Database) -> CheckFinding {
        guard hasWriteAheadLog(database) else {
            return .warning(
                "durability", "another program has changed the journal mode. The server sets WAL at its start; do not change it again.")
        }
        return .ok("durability", "journal_mode=WAL, and synchronous=\(Durability.lossOfPower.rawValue) for actions")
    }

    /// Returns a Boolean value that indicates whether the header of the file (sqlite.org/fileformat.html, 1.3.3) requires a write-ahead
    /// log. `PRAGMA journal_mode` returns `delete` for a database that is opened as immutable.
    private static func hasWriteAheadLog(_ database: Database) -> Bool {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var version: UInt8 = 0
        sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard let file, let methods = file.pointee.pMethods, methods.pointee.xRead(file, &version, 1, 18) == SQLITE_OK else { return false }
        return version == 2
    }

    // MARK: - Reading

    /// Opens the file for reading only. Returns `nil` if SQLite would have to create a file.
    ///
    /// With a log and its index, the index is read as it is. Without a log, the file is opened as immutable, because otherwise SQLite would
    /// create a log and an index.
    private static func connection(to file: FilePath) throws -> DatabaseQueue? {
        let hasLogWithIndex = file.exists("-wal") && file.exists("-shm")
        guard hasLogWithIndex || FilePath.size(of: file.name + "-wal") == 0 else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let name = file.name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file.name
        let access = hasLogWithIndex ? "readonly_shm=1" : "immutable=1"
        return try DatabaseQueue(path: "file://\(name)?mode=ro&\(access)", configuration: configuration)
    }
}
