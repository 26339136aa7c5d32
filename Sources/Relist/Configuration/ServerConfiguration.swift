package import Logging
package import ScreenService

/// What a server starts with, checked.
package struct ServerConfiguration: Sendable {
    package var host: String
    package var port: UInt16
    package var database: String
    /// Nil where none is said.
    package var publicFolder: String?
    package var logLevel: Logger.Level
    package var historyBounds: HistoryBounds
    package var viewCacheBytes: Int
    /// How long computing a screen may take, and performing an action.
    package var deadline: Duration
    /// How long everything is still answered once the server was asked to stop.
    package var drain: Duration
    /// How long answers that are under way may take after that.
    package var grace: Duration

    /// Takes each value from its flag, else from the environment, else its default.
    ///
    /// - Throws: all faults at once, also of what was read before.
    package init(_ reader: inout SettingReader) throws(ConfigurationFaults) {
        host = reader.text(.host)
        port = reader.number(.port, in: 0...65535)
        database = reader.text(.database)
        publicFolder = reader.optionalText(.publicFolder)
        logLevel = reader.choice(.logLevel)
        historyBounds = HistoryBounds(
            age: reader.number(.historyDays, in: 1...36_500) * 24 * 3600,
            bytes: reader.number(.historyBytes, in: 0...(1 << 40)),
            memoryBytes: reader.number(.historyMemoryBytes, in: (1 << 20)...(1 << 40))
        )
        viewCacheBytes = reader.number(.viewCacheBytes, in: 0...(1 << 40))
        deadline = .seconds(reader.number(.deadlineSeconds, in: 1...3600) as Int)
        drain = .seconds(reader.number(.drainSeconds, in: 0...3600) as Int)
        grace = .seconds(reader.number(.graceSeconds, in: 0...3600) as Int)
        try reader.end()
    }
}
