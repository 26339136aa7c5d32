public import ArgumentParser

public import struct Logging.Logger

/// The flags of every server. Each flag has an environment variable, such as `RELIST_LOG_LEVEL` for `--log-level`.
///
/// A program that has more flags of its own declares `ServeOptions` as an option group:
///
/// ```swift
/// @main struct Garden: AsyncParsableCommand {
///     @OptionGroup var options: ServeOptions
///     @Option var season = "spring"
///
///     func run() async throws {
///         await RelistServer(screens: [Planets(season: season)]).run(with: options)
///     }
/// }
/// ```
///
/// The properties have the values of some flags. If the text of a flag is invalid, its property has the default, and
/// ``RelistServer/run(with:)`` reports the text and starts nothing.
public struct ServeOptions: ParsableArguments, Sendable {
    @OptionGroup var flags: ServeFlags

    public init() {}

    /// The path of the SQLite file, or the URL of another database.
    public var database: String { value(of: \.database) }
    /// The address to listen on.
    public var host: String { value(of: \.host) }
    /// The port to listen on; 0 for a free port.
    public var port: Int { Int(value(of: \.port)) }
    /// The given folder of files to serve, or `nil` if none is given.
    public var publicFolder: String? { value(of: \.publicFolder) }
    public var logLevel: Logger.Level { value(of: \.logLevel) }
    /// The maximum duration of computing a screen or performing an action.
    public var deadline: Duration { .seconds(value(of: \.deadlineSeconds)) }

    private func value<Value>(of flag: KeyPath<ServeFlags, Setting<Value>>) -> Value {
        flags[keyPath: flag].value() ?? flags[keyPath: flag].defaultValue
    }
}
