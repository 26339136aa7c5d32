extension CalendarDay {
    /// How many days `other` is after this one; negative where it is before.
    public func distance(to other: CalendarDay) -> Int {
        other.number - number
    }

    /// The day that is `days` after this one, or before where that is negative; nil outside of
    /// the years 1 to 9999.
    public func advanced(by days: Int) -> CalendarDay? {
        let (number, overflow) = number.addingReportingOverflow(days)
        guard !overflow, (Self.first.number...Self.last.number).contains(number) else { return nil }
        return CalendarDay(number: number)
    }

    private static let first = CalendarDay(year: 1, month: 1, day: 1)!
    private static let last = CalendarDay(year: 9999, month: 12, day: 31)!

    // Days are counted from 1 March of year 0, so that the leap day ends its year: Howard Hinnant,
    // "chrono-Compatible Low-Level Date Algorithms", `days_from_civil` and `civil_from_days`.
    private var number: Int {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = (month + 9) % 12
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return marchYear * 365 + leapDays + (153 * marchMonth + 2) / 5 + day - 1
    }

    private init?(number: Int) {
        let era = number / 146_097
        let dayOfEra = number % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        self.init(
            year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * marchMonth + 2) / 5 + 1
        )
    }
}
