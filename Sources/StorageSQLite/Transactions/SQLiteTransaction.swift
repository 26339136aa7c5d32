import GRDB
import ScreenService
import Storage

/// Reads and writes the records within one transaction on one connection.
///
/// The folders of the records extend it. Each of its functions says what it read or changed; the
/// store announces the changes once they are committed. In a read transaction its connection is a
/// read-only one, so that writing there is an error of SQLite.
final class SQLiteTransaction {
    let database: Database
    private let recorder: ReadRecorder?
    private(set) var touched: Set<Topic> = []

    init(_ database: Database, recorder: ReadRecorder?) {
        self.database = database
        self.recorder = recorder
    }

    func noteRead(_ read: StoreRead) {
        recorder?.record(read.topic)
    }

    func noteWrite(_ write: StoreWrite) {
        touched.formUnion(write.staleReads.map(\.topic))
    }
}

extension SQLiteTransaction: StoreWriting {}
