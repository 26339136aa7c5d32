#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An instant that clients show as a text that changes with time, such as "5 min. ago". They keep the text current without a request.
///
///     static func fields(_ field: inout some FieldVisitor<Self>) {
///         field("placed") { LiveDate($0.placed, style: .relative) }
///     }
///
/// It is written as `{"$date":"2026-07-12T09:00:00Z","style":"relative"}`. Fractions of a second are left out, so that equal contents have
/// equal bytes.
public struct LiveDate: Hashable, Sendable {
    /// The form in which clients show an instant.
    public enum Style: String, CaseIterable, ContentValue {
        /// The time since the instant or until it, in one unit: "5 min. ago" or "in 2 hr.".
        case relative
        /// A timer that counts up from the instant or down to it: `4:05` or `1:02:03`.
        case timer
    }

    /// The number of seconds since 1 January 1970, 00:00 UTC. It is within the years 1 to 9999.
    public let secondsSince1970: Int64
    /// The form in which clients show the instant. With `nil`, they show the date and the time, in the time zone of the user. A received
    /// instant has no style if this version does not know its style.
    public let style: Style?

    private static let first: Int64 = -62_135_596_800
    private static let last: Int64 = 253_402_300_799

    /// Creates an instant from seconds. An instant outside of the years 1 to 9999 becomes the nearest one within them.
    public init(secondsSince1970 seconds: Int64, style: Style? = nil) {
        secondsSince1970 = min(max(seconds, Self.first), Self.last)
        self.style = style
    }

    /// Creates an instant from a date of Foundation, rounded down to a second.
    public init(_ date: Date, style: Style? = nil) {
        // `minimum` and `maximum` have a number as the result if the other value is NaN.
        let seconds = Double.minimum(Double.maximum(date.timeIntervalSince1970.rounded(.down), Double(Self.first)), Double(Self.last))
        self.init(secondsSince1970: Int64(seconds), style: style)
    }

    /// The instant as a date of Foundation.
    public var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }
}

extension LiveDate: Content {
    public static func fields(_ field: inout some FieldVisitor<Self>) {
        field("$date") { Instant(text: $0.text) }
        field("style", \.style)
    }

    private struct Instant: ContentValue {
        static var shape: ValueShape { .instant }

        let text: String

        func write(to writer: inout JSONWriter) { writer.write(text) }
    }

    /// The instant in UTC, as in RFC 3339: `2026-07-12T09:00:00Z`.
    package var text: String {
        let seconds = Int(secondsSince1970 - Self.first)
        // 306 days are between 1 March of year 0 and 1 January of year 1.
        let day = CivilDay(number: seconds / 86_400 + 306)
        let fields = [
            (day.year, 3), (day.month, 6), (day.day, 9), (seconds / 3600 % 24, 12), (seconds / 60 % 60, 15), (seconds % 60, 18),
        ]
        let zeros: StaticString = "0000-00-00T00:00:00Z"
        return String(unsafeUninitializedCapacity: zeros.utf8CodeUnitCount) { text in
            _ = text.initialize(from: UnsafeBufferPointer(start: zeros.utf8Start, count: zeros.utf8CodeUnitCount))
            for (number, last) in fields {
                var (rest, place) = (number, last)
                while rest > 0 {
                    text[place] += UInt8(rest % 10)
                    (rest, place) = (rest / 10, place - 1)
                }
            }
            return zeros.utf8CodeUnitCount
        }
    }
}
