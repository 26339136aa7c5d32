import Foundation
import ScreenService

/// A format for numbers with a fixed number of decimals and groups of three digits: `1,234.500`, `1 234,500`. The separators come from
/// Foundation. Its formatters are not used, because formatting one number with them takes longer than rendering a whole cell.
struct DecimalFormat: Sendable {
    /// Ten to the power of the number of decimals.
    private let scale: UInt
    private let point: String
    private let groupSeparator: String

    init(decimals: Int, locale: ScreenLocale) {
        scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        point = locale.formatting.decimalSeparator ?? "."
        groupSeparator = locale.formatting.groupingSeparator ?? ""
    }

    /// Returns the text of a number in units of the last decimal. With three decimals, 10,766 units become `10.766`.
    func format(_ units: Int) -> String {
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: scale)
        let text = (units < 0 ? "-" : "") + grouped(whole)
        return scale > 1 ? text + point + Self.digits(rest, below: scale) : text
    }

    private func grouped(_ number: UInt) -> String {
        guard number >= 1000 else { return String(number) }
        return grouped(number / 1000) + groupSeparator + Self.digits(number % 1000, below: 1000)
    }

    /// Returns the digits of a number, with leading zeros. For example, the result has three digits if `power` is 1000.
    private static func digits(_ number: UInt, below power: UInt) -> Substring {
        String(number + power).dropFirst()
    }
}
