import Foundation
import GRDB
import ScreenService

extension HistoryKey {
    var arguments: StatementArguments {
        [audience.stored, Text(screen), version.stored]
    }
}

extension HistoryRecord {
    var arguments: StatementArguments {
        key.arguments + [Int64(bitPattern: view), Data(outline), recordedAt, supersededAt]
    }

    /// Reads the columns of `history` in their order; nil where the key is none.
    init?(_ row: Row) {
        guard let audience = Audience(stored: row[0]), let version = Version(stored: row[2]) else { return nil }
        let view: Int64 = row[3]
        let outline: Data = row[4]
        self.init(
            key: HistoryKey(audience: audience, screen: row[1], version: version),
            view: UInt64(bitPattern: view),
            outline: [UInt8](outline),
            recordedAt: row[5],
            supersededAt: row[6]
        )
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

    fileprivate init?(stored: Data) {
        if stored == Self.everyoneStored {
            self = .everyone
        } else if stored.starts(with: Self.userPrefix),
            let user = String(data: stored.dropFirst(Self.userPrefix.count), encoding: .utf8)
        {
            self = .user(user)
        } else {
            return nil
        }
    }
}
