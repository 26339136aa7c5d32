import Foundation
import GRDB
import ScreenService

extension HistoryKey {
    var arguments: StatementArguments {
        [audience.stored, screen.databaseValue.bound, version.stored]
    }
}

extension HistoryRecord {
    var arguments: StatementArguments {
        key.arguments + [Int64(bitPattern: view), Data(outline), cost, usedAt]
    }

    /// Reads `view`, `outline` and `usedAt`.
    init(_ key: HistoryKey, _ row: Row) {
        let view: Int64 = row[0]
        let outline: Data = row[1]
        self.init(key: key, view: UInt64(bitPattern: view), outline: [UInt8](outline), usedAt: row[2])
    }
}

extension Audience {
    private static let userPrefix = Data("user:".utf8)
    private static let everyoneStored = Data("everyone".utf8)

    /// `everyone`, or `user:` and who it is, so that no user is taken for everyone. A blob, because
    /// text would end at a user's U+0000 and be another user's.
    fileprivate var stored: Data {
        switch self {
        case .everyone: Self.everyoneStored
        case .user(let user): Self.userPrefix + Data(user.utf8)
        }
    }
}

extension Version {
    /// The high word and the low word, each with its most significant byte first.
    var stored: Data {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
    }

    init?(stored: Data) {
        guard stored.count == 16 else { return nil }
        let word = { (bytes: Data) in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(high: word(stored.prefix(8)), low: word(stored.suffix(8)))
    }
}
