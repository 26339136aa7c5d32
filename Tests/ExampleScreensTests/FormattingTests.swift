import Foundation
import ScreenService
import Testing

@testable import ExampleScreens

struct FormattingTests {
    @Test(arguments: [ScreenLocale.english, .french]) func decimalNumbersAreFormattedAsFoundationFormatsThem(locale: ScreenLocale) {
        for units in [0, 1, 12, 999, 1000, 1001, 9999, 10_000, 10_766, 999_999, 1_000_000, 1_000_001, 123_456_789, -1, -1000, -1_234_567] {
            let whole = units.formatted(.number.locale(locale.formatting))
            #expect(DecimalFormat(decimals: 0, locale: locale).format(units) == whole)
            let thousandths = (Decimal(units) / 1000).formatted(.number.precision(.fractionLength(3)).locale(locale.formatting))
            #expect(DecimalFormat(decimals: 3, locale: locale).format(units) == thousandths)
        }
    }
}
