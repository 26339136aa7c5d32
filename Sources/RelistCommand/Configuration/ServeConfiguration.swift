import Foundation
import Logging
import ScreenService

/// What `relist serve` starts with, checked.
struct ServeConfiguration {
    var host: String
    var port: UInt16
    var database: String
    var publicFolder: String
    var logLevel: Logger.Level
    var historyBounds: HistoryBounds
    var viewCacheBytes: Int
    /// nil takes the posts of the database.
    var postsUpstream: URL?
    /// How long computing a screen may take, and performing an action.
    var deadline: Duration
    /// How long everything is still answered once the server was asked to stop.
    var drain: Duration
    /// How long answers that are under way may take after that.
    var grace: Duration

    /// Takes each value from its flag, else from the environment, else its default.
    ///
    /// - Throws: all faults at once.
    init(flags: [Setting: String], environment: [String: String]) throws(ConfigurationFaults) {
        var reader = SettingReader(flags: flags, environment: environment)
        host = reader.text(.host)
        port = reader.number(.port, in: 0...65535)
        database = reader.text(.database)
        publicFolder = reader.text(.publicFolder)
        logLevel = reader.choice(.logLevel)
        historyBounds = HistoryBounds(
            age: reader.number(.historyDays, in: 1...36_500) * 24 * 3600,
            bytes: reader.number(.historyBytes, in: 0...(1 << 40)),
            memoryBytes: reader.number(.historyMemoryBytes, in: (1 << 20)...(1 << 40))
        )
        viewCacheBytes = reader.number(.viewCacheBytes, in: 0...(1 << 40))
        postsUpstream = reader.url(.postsUpstream)
        deadline = .seconds(reader.number(.deadlineSeconds, in: 1...3600) as Int)
        drain = .seconds(reader.number(.drainSeconds, in: 0...3600) as Int)
        grace = .seconds(reader.number(.graceSeconds, in: 0...3600) as Int)
        if !reader.faults.isEmpty { throw ConfigurationFaults(faults: reader.faults) }
    }
}
