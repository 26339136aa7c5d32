/// A day of the Gregorian calendar, for the conversion from and to a number of days.
package struct CivilDay: Equatable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int

    package init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    // Years are counted from March, so that a leap day is the last day of its year. Source: Howard Hinnant, "chrono-Compatible Low-Level
    // Date Algorithms", `days_from_civil` and `civil_from_days`.

    /// The number of days since 1 March of year 0. The year must not be negative.
    package var number: Int {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = (month + 9) % 12
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return marchYear * 365 + leapDays + (153 * marchMonth + 2) / 5 + day - 1
    }

    /// Creates the day with this number, which must not be negative.
    package init(number: Int) {
        let era = number / 146_097
        let dayOfEra = number % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    }
}
