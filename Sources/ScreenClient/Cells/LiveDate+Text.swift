public import Foundation
public import ScreenModel

extension LiveDate {
    /// Returns the text to show at a time: "5 min. ago" or "in 2 hr." for ``Style/relative``, `4:05` or `1:02:03` for ``Style/timer``, and
    /// the date and the time if there is no style.
    ///
    /// The largest unit is a day. Times are rounded down.
    ///
    /// - Parameter locale: The language of the text. Relative times are in French or, for all other languages, in English.
    public func text(at now: Date = .now, in locale: Locale = .current) -> String {
        let since = seconds(until: now)
        return switch style {
        case .relative: Words(locale).text(since)
        case .timer: Self.timer(Int(since.magnitude))
        case nil: date.formatted(Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale))
        }
    }

    /// Returns the first time after `now` at which the text is another one, or `nil` if the text never changes.
    public func nextChange(after now: Date = .now) -> Date? {
        let since = seconds(until: now)
        let next: Int
        switch style {
        case .relative:
            let unit = Unit(since.magnitude).rawValue
            next = since < 0 ? 1 - -since / unit * unit : (since / unit + 1) * unit
        case .timer: next = since + 1
        case nil: return nil
        }
        return date.addingTimeInterval(Double(next))
    }

    /// Returns the number of seconds from the instant until a time, which is rounded down to a second. It is negative if the time is
    /// earlier.
    private func seconds(until now: Date) -> Int {
        Int(LiveDate(now).secondsSince1970 - secondsSince1970)
    }

    private static func timer(_ seconds: Int) -> String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let padded = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return (hours > 0 ? "\(hours):\(padded(minutes))" : "\(minutes)") + ":\(padded(seconds % 60))"
    }

    /// A unit of relative times, by its number of seconds.
    private enum Unit: Int, CaseIterable {
        case second = 1
        case minute = 60
        case hour = 3600
        case day = 86_400

        /// Creates the largest unit that is at most as long as a time in seconds.
        init(_ seconds: UInt) {
            self = Self.allCases.last { $0.rawValue <= seconds } ?? .second
        }
    }

    /// The words of a language for relative times.
    private struct Words {
        private let isFrench: Bool

        init(_ locale: Locale) {
            isFrench = locale.language.languageCode?.identifier == "fr"
        }

        /// Returns the text for a number of seconds since an instant, which is negative before the instant.
        func text(_ since: Int) -> String {
            if since == 0 { return isFrench ? "maintenant" : "now" }
            let unit = Unit(since.magnitude)
            let count = Int(since.magnitude) / unit.rawValue
            let time = "\(count)\(isFrench ? "\u{A0}" : " ")\(name(of: unit, count))"
            if since < 0 { return isFrench ? "dans \(time)" : "in \(time)" }
            return isFrench ? "il y a \(time)" : "\(time) ago"
        }

        private func name(of unit: Unit, _ count: Int) -> String {
            switch unit {
            case .second: isFrench ? "s" : "sec."
            case .minute: isFrench ? "min" : "min."
            case .hour: isFrench ? "h" : "hr."
            case .day: isFrench ? "j" : count == 1 ? "day" : "days"
            }
        }
    }
}
