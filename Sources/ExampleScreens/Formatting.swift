import Foundation
import ScreenService
import Synchronization

/// What is made once for a locale, as making it takes longer than using it.
final class OnceForLocale<Value: Sendable>: Sendable {
    private let made = Mutex<[ScreenLocale: Value]>([:])
    private let make: @Sendable (ScreenLocale) -> Value

    init(_ make: @escaping @Sendable (ScreenLocale) -> Value) {
        self.make = make
    }

    subscript(locale: ScreenLocale) -> Value {
        made.withLock { made in
            if let value = made[locale] { return value }
            let value = make(locale)
            made[locale] = value
            return value
        }
    }
}

/// Numbers with a fixed count of decimals, in groups of three digits, as the locales of these screens write them:
/// `1,234.500`, `1 234,500`.
///
/// The separators are Foundation's, whose formatters take longer for one number than a whole cell does.
struct DecimalFormat: Sendable {
    /// A one with as many zeros as there are decimals.
    private let scale: UInt
    private let point: String
    private let groupSeparator: String

    init(decimals: Int, locale: ScreenLocale) {
        scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        point = locale.formatting.decimalSeparator ?? "."
        groupSeparator = locale.formatting.groupingSeparator ?? ""
    }

    /// - Parameter units: of the last decimal: 10,766 is `10.766` with three.
    func format(_ units: Int) -> String {
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: scale)
        let text = (units < 0 ? "-" : "") + grouped(whole)
        return scale > 1 ? text + point + Self.digits(rest, below: scale) : text
    }

    private func grouped(_ number: UInt) -> String {
        guard number >= 1000 else { return String(number) }
        return grouped(number / 1000) + groupSeparator + Self.digits(number % 1000, below: 1000)
    }

    /// With the zeros before them.
    private static func digits(_ number: UInt, below power: UInt) -> Substring {
        String(number + power).dropFirst()
    }
}
