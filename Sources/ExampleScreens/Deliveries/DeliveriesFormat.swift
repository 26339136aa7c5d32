import ExampleRecords
import Foundation
import ScreenService

/// The dates and numbers of ``Deliveries``, as a locale writes them.
///
/// Calendar and time zone are fixed, so that a server anywhere writes the same.
final class DeliveriesFormat: Sendable {
    let locale: ScreenLocale
    private static let made = OnceForLocale { DeliveriesFormat(locale: $0) }

    private let dates: Date.FormatStyle
    private let tonnes: DecimalFormat
    private let counts: DecimalFormat

    static func of(_ locale: ScreenLocale) -> DeliveriesFormat { made[locale] }

    private init(locale: ScreenLocale) {
        self.locale = locale
        // The short dates of either region: Americans write two digits of the year, the French four.
        let year: Date.FormatStyle.Symbol.Year = locale == .english ? .twoDigits : .defaultDigits
        dates = Date.FormatStyle(
            locale: locale.formatting, calendar: Self.calendar, timeZone: Self.calendar.timeZone
        ).day().month(.defaultDigits).year(year)
        tonnes = DecimalFormat(decimals: 3, locale: locale)
        counts = DecimalFormat(decimals: 0, locale: locale)
    }

    /// `7/12/18`, `12/07/2018`
    func text(_ day: CalendarDay) -> String {
        let parts = DateComponents(year: day.year, month: day.month, day: day.day)
        return dates.format(Self.calendar.date(from: parts)!)
    }

    func text(_ days: ClosedRange<CalendarDay>) -> String {
        text(days.lowerBound) + " – " + text(days.upperBound)
    }

    /// Tonnes to the kilogram: `10.766 t`, `10,766 t`
    func text(_ weight: Weight) -> String {
        tonnes.format(weight.kilograms) + " t"
    }

    func count(_ count: Int) -> String {
        counts.format(count)
    }

    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}

extension DeliveriesFormat: Equatable {
    static func == (a: DeliveriesFormat, b: DeliveriesFormat) -> Bool { a.locale == b.locale }
}
