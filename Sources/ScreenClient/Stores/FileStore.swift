public import Foundation
import ScreenModel
import ScreenWire

/// A store that keeps snapshots and attempts in files. Each user has a folder.
public actor FileStore: SnapshotStoring, AttemptStoring {
    /// A store in the folder `Relist` of the app's application support folder.
    public static let standard = FileStore(folder: applicationFolder.appending(path: "Relist"))

    private static var applicationFolder: URL {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first ?? FileManager.default.temporaryDirectory
    }

    private let folder: URL
    private let snapshotByteLimit: Int
    private let snapshotCountLimit: Int
    private let attemptLimit: Int
    /// The total size and the number of the snapshots in each folder that this process has written to, as upper bounds. If a snapshot
    /// replaces another one, both are counted until the folder is read again.
    private var totals: [URL: Total] = [:]

    /// Creates a store in a folder. The folder is created if it does not exist.
    ///
    /// - Parameters:
    ///   - snapshotByteLimit: The maximum size in bytes of all snapshots of a user. If the size is exceeded, the snapshots that were not
    ///     used for the longest time are removed.
    ///   - snapshotCountLimit: The maximum number of snapshots of a user. Each combination of a screen and its parameters has a snapshot.
    ///   - attemptLimit: The maximum number of stored attempts for each user. If the limit is reached, attempts that are too old to be
    ///     repeated are removed. If there are none, new actions are not sent.
    public init(folder: URL, snapshotByteLimit: Int = 64 << 20, snapshotCountLimit: Int = 500, attemptLimit: Int = 1000) {
        self.folder = folder
        self.snapshotByteLimit = snapshotByteLimit
        self.snapshotCountLimit = snapshotCountLimit
        self.attemptLimit = attemptLimit
    }

    // MARK: Snapshots

    public func snapshot(of view: StoredView) -> [UInt8]? {
        let file = file(of: view)
        guard let bytes = try? Data(contentsOf: file) else { return nil }
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
        // The name of the file is a hash, and two addresses can have the same hash. Therefore the address in the file is compared.
        let address = Array(view.address.utf8) + [UInt8(ascii: "\n")]
        return bytes.starts(with: address) ? Array(bytes.dropFirst(address.count)) : nil
    }

    public func store(_ snapshot: [UInt8], of view: StoredView) {
        let file = file(of: view)
        let folder = file.deletingLastPathComponent()
        let bytes = Array(view.address.utf8) + [UInt8(ascii: "\n")] + snapshot
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(bytes).write(to: file, options: .atomic)
            guard var total = totals[folder] else { return totals[folder] = try removeExcess(in: folder) }
            (total.size, total.count) = (total.size + bytes.count, total.count + 1)
            totals[folder] = isExcessive(total) ? try removeExcess(in: folder) : total
        } catch {
            // The error is not reported, because a screen can do without its stored snapshot. An earlier snapshot is kept.
        }
    }

    public func removeSnapshots(of user: String) {
        try? FileManager.default.removeItem(at: userFolder(user).appending(path: "snapshots"))
    }

    private func file(of view: StoredView) -> URL {
        userFolder(view.user).appending(path: "snapshots").appending(path: Self.hash(view.address) + ".json")
    }

    private struct Total {
        var size: Int
        var count: Int
    }

    private func isExcessive(_ total: Total) -> Bool { total.size > snapshotByteLimit || total.count > snapshotCountLimit }

    /// Removes the oldest snapshots in a folder until the limits are met. Returns the total size and the number of the remaining snapshots.
    private func removeExcess(in folder: URL) throws -> Total {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
        var files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys)).map {
            let values = try $0.resourceValues(forKeys: keys)
            return (url: $0, date: values.contentModificationDate ?? .distantPast, size: values.fileSize ?? 0)
        }
        var total = Total(size: files.reduce(0) { $0 + $1.size }, count: files.count)
        files.sort { $0.date > $1.date }
        while isExcessive(total), let oldest = files.popLast() {
            try FileManager.default.removeItem(at: oldest.url)
            (total.size, total.count) = (total.size - oldest.size, total.count - 1)
        }
        return total
    }

    // MARK: Attempts

    public func attempts(of user: String) -> [ActionAttempt] {
        attemptFiles(of: user).compactMap { try? ActionAttempt(Array(Data(contentsOf: $0)), of: user) }.sorted { $0.created < $1.created }
    }

    public func store(_ attempt: ActionAttempt, of user: String) throws {
        let folder = attemptFolder(of: user)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = attemptFiles(of: user)
        if files.count >= attemptLimit { removeExpired(files, of: user) }
        guard attemptFiles(of: user).count < attemptLimit else { throw TooManyAttempts() }
        try Data(attempt.bytes).write(to: folder.appending(path: Self.hash(attempt.key) + ".json"), options: .atomic)
    }

    public func removeAttempt(_ key: String, of user: String) {
        try? FileManager.default.removeItem(at: attemptFolder(of: user).appending(path: Self.hash(key) + ".json"))
    }

    private func removeExpired(_ files: [URL], of user: String) {
        let now = Date()
        for file in files {
            let attempt = try? ActionAttempt(Array(Data(contentsOf: file)), of: user)
            if attempt?.isRepeatable(at: now) != true { try? FileManager.default.removeItem(at: file) }
        }
    }

    private func attemptFolder(of user: String) -> URL {
        userFolder(user).appending(path: "attempts")
    }

    private func attemptFiles(of user: String) -> [URL] {
        (try? FileManager.default.contentsOfDirectory(at: attemptFolder(of: user), includingPropertiesForKeys: nil)) ?? []
    }

    // MARK: Names

    /// Returns the folder of a user. The name of the folder contains the whole id of the user, so that each user has a separate folder.
    private func userFolder(_ user: String) -> URL {
        let name = user.utf8.map { String($0, radix: 16).count == 1 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
        return name.count <= 200
            ? folder.appending(path: "user-" + name)
            : stride(from: 0, to: name.count, by: 200).reduce(folder.appending(path: "user")) { folder, start in
                folder.appending(path: String(name.dropFirst(start).prefix(200)))
            }
    }

    /// Returns the FNV-1a hash of a text, in hexadecimal digits.
    private static func hash(_ text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
