import ExampleRecords
import Foundation
import ScreenService
import Synchronization

/// The format of dates and numbers in ``Deliveries`` for a locale. Its texts do not depend on the server's calendar and time zone.
final class DeliveriesFormat: Sendable {
    let locale: ScreenLocale
    // The formats are cached by locale, because creating a format takes longer than using it.
    private static let formats = Mutex<[ScreenLocale: DeliveriesFormat]>([:])

    private let dates: Date.FormatStyle
    private let tonnes: DecimalFormat
    private let counts: DecimalFormat

    static func of(_ locale: ScreenLocale) -> DeliveriesFormat {
        formats.withLock { formats in
            if let format = formats[locale] { return format }
            let format = DeliveriesFormat(locale: locale)
            formats[locale] = format
            return format
        }
    }

    private init(locale: ScreenLocale) {
        self.locale = locale
        // A short date has a two-digit year in American English, and a four-digit year in French.
        let year: Date.FormatStyle.Symbol.Year = locale == .english ? .twoDigits : .defaultDigits
        dates = Date.FormatStyle(
            locale: locale.formatting, calendar: Self.calendar, timeZone: Self.calendar.timeZone
        ).day().month(.defaultDigits).year(year)
        tonnes = DecimalFormat(decimals: 3, locale: locale)
        counts = DecimalFormat(decimals: 0, locale: locale)
    }

    /// Returns a date such as `7/12/18` or `12/07/2018`.
    func text(_ day: CalendarDay) -> String {
        let parts = DateComponents(year: day.year, month: day.month, day: day.day)
        return dates.format(Self.calendar.date(from: parts)!)
    }

    func text(_ days: ClosedRange<CalendarDay>) -> String {
        text(days.lowerBound) + " – " + text(days.upperBound)
    }

    /// Returns a weight such as `10.766 t` or `10,766 t`.
    func text(_ weight: Weight) -> String {
        tonnes.format(weight.kilograms) + " t"
    }

    /// Returns a weight in the unit of the fields of the actions, such as `10,766 kg`.
    func kilograms(_ weight: Weight) -> String {
        counts.format(weight.kilograms) + " kg"
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
