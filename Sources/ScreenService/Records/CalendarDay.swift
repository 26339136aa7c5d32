import ScreenModel

/// A day of the Gregorian calendar, without a time or a time zone. It is stored as `date` in PostgreSQL, and as ISO 8601 text in SQLite.
public struct CalendarDay: Hashable, Sendable {
    /// The year, from 1 to 9999.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1 to 31.
    public let day: Int

    /// Creates a day, or returns `nil` if the day does not exist, such as 30 February.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.dayCount(ofMonth: month, inYear: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    private static func dayCount(ofMonth month: Int, inYear year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }
}

extension CalendarDay: Comparable {
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension CalendarDay: LosslessStringConvertible {
    /// Creates a day from a text such as `2018-07-12` (ISO 8601, extended form), or returns `nil` for any other text. Only ASCII digits are
    /// allowed.
    public init?(_ text: String) {
        let characters = text.utf8
        guard characters.count == 10 else { return nil }
        var numbers = [0, 0, 0]
        var part = 0
        for (place, character) in characters.enumerated() {
            if place == 4 || place == 7 {
                guard character == UInt8(ascii: "-") else { return nil }
                part += 1
            } else {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) else { return nil }
                numbers[part] = numbers[part] * 10 + Int(character - UInt8(ascii: "0"))
            }
        }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// The extended form of ISO 8601, such as `2018-07-12`. The alphabetical order of these texts is the chronological order of the days.
    public var description: String {
        String(unsafeUninitializedCapacity: 10) { text in
            var rest = (year * 100 + month) * 100 + day
            for place in text.indices.prefix(10).reversed() {
                let isDash = place == 4 || place == 7
                text[place] = isDash ? UInt8(ascii: "-") : UInt8(ascii: "0") + UInt8(rest % 10)
                if !isDash { rest /= 10 }
            }
            return 10
        }
    }
}

extension CalendarDay {
    /// Returns the day that is `days` days later, or `nil` if the result is outside of the years 1 to 9999.
    public func advanced(by days: Int) -> CalendarDay? {
        let (number, overflow) = number.addingReportingOverflow(days)
        guard !overflow, (Self.first.number...Self.last.number).contains(number) else { return nil }
        return CalendarDay(number: number)
    }

    private static let first = CalendarDay(year: 1, month: 1, day: 1)!
    private static let last = CalendarDay(year: 9999, month: 12, day: 31)!

    /// The number of days since 1 March of year 0.
    private var number: Int { CivilDay(year: year, month: month, day: day).number }

    private init?(number: Int) {
        let civil = CivilDay(number: number)
        self.init(year: civil.year, month: civil.month, day: civil.day)
    }
}
