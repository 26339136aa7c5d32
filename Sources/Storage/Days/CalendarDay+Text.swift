extension CalendarDay: LosslessStringConvertible {
    /// Reads ISO 8601's extended form, `2018-07-12`, and nothing else: ten characters, ASCII
    /// digits, a day that exists.
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

    /// ISO 8601's extended form: `2018-07-12`. Its order as text is the order of the days.
    public var description: String {
        Self.padded(year, to: 4) + "-" + Self.padded(month, to: 2) + "-" + Self.padded(day, to: 2)
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: width - digits.utf8.count) + digits
    }
}
