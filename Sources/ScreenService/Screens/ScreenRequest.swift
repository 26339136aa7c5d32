public import Foundation

/// A request for the content of a screen.
public struct ScreenRequest: Sendable {
    /// The caller that the content is computed for.
    public let audience: Audience
    /// The revision of the screen that the client was built for.
    public let revision: Int
    public let locale: ScreenLocale
    private let parameters: [String: String]
    private let clock: any WallClock
    /// The recorder of the computation, or `nil` if the request belongs to an action.
    private let recorder: ReadRecorder?

    init(view: ScreenView, clock: any WallClock = SystemClock(), recorder: ReadRecorder? = nil) {
        self.clock = clock
        self.recorder = recorder
        audience = view.audience
        revision = view.revision
        locale = view.locale
        parameters = Dictionary(uniqueKeysWithValues: view.parameters.map { ($0.name, $0.value) })
    }

    /// The id of the user that the content is computed for. Throws ``AudienceMismatch`` if the screen is for everyone.
    public var user: String {
        get throws(AudienceMismatch) {
            guard case .user(let name) = audience else { throw AudienceMismatch() }
            return name
        }
    }

    /// The time of the last tick of the clock, for content such as "5 min ago".
    ///
    /// The content is computed again at the next tick, and followers receive the changes. All replicas have the same ticks. For a time
    /// that is shown by the second, send the instant to the clients, which format it themselves.
    ///
    /// - Parameter interval: The time between two ticks. Ticks are counted from the beginning of 1970 in UTC.
    public func now(every interval: TickInterval) -> Date {
        let tick = interval.tick(at: clock.now)
        recorder?.recordTime(expiry: tick + interval.seconds)
        return Date(timeIntervalSince1970: TimeInterval(tick))
    }

    /// Returns a Boolean value that indicates whether a time has passed, for content such as an offer that ends. If it has not, the content
    /// is computed again at this time. Fractions of a second are rounded up.
    public func hasPassed(_ time: Date) -> Bool {
        // A time that is not a number, or that is too far away for 64 bits, is treated as not passed and causes no computation.
        let instant = Int64(exactly: time.timeIntervalSince1970.rounded(.up))
        let isPassed = instant.map { $0 <= clock.now } ?? false
        recorder?.recordTime(expiry: isPassed ? nil : instant)
        return isPassed
    }

    /// The current time. It is not recorded, so it is only for actions.
    var time: Date { Date(timeIntervalSince1970: TimeInterval(clock.now)) }

    /// The value of a parameter, or its default value.
    public subscript<Value>(parameter: Parameter<Value>) -> Value {
        parameter.value(of: parameters[parameter.name])
    }
}

/// An error that is thrown if a screen for everyone reads the user.
public struct AudienceMismatch: Error, Hashable {}

/// The time between two ticks of ``ScreenRequest/now(every:)``: one or more minutes.
public struct TickInterval: Hashable, Sendable {
    /// The length of the interval in seconds.
    public let seconds: Int64

    /// An interval of some minutes, at least one.
    public static func minutes(_ count: Int) -> TickInterval {
        TickInterval(seconds: 60 * Int64(min(max(count, 1), 1 << 32)))
    }

    /// An interval of some hours, at least one.
    public static func hours(_ count: Int) -> TickInterval {
        .minutes(60 * min(max(count, 1), 1 << 26))
    }

    /// Returns the last tick at or before a time in seconds since 1970. Ticks are counted from the beginning of 1970, so that they are
    /// equal on all replicas.
    func tick(at now: Int64) -> Int64 {
        now - ((now % seconds) + seconds) % seconds
    }
}
