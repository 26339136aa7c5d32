/// A table with one row for each measurement. It has the same format as the table of `Benchmarks/run`.
enum Table {
    /// Prints a row with a measured number.
    ///
    /// - Parameters:
    ///   - measured: the measured number, in the unit of the target.
    ///   - target: the maximum number according to the design; nil if there is none.
    static func row(_ what: String, _ text: String, measured: Double = 0, atMost target: (number: Double, text: String)? = nil) {
        let verdict = target.map { measured <= $0.number ? "holds" : "missed" } ?? ""
        print(padded(what, 62) + padded(text, 50) + padded(target.map { "<= \($0.text)" } ?? "", 11) + verdict)
    }

    /// Prints a row with a measured duration.
    static func row(_ what: String, _ time: Duration, _ remark: String = "", atMost target: Duration? = nil) {
        row(
            what, remark.isEmpty ? time.text : "\(time.text), \(remark)", measured: time / .milliseconds(1),
            atMost: target.map { ($0 / .milliseconds(1), $0.text) }
        )
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

extension Duration {
    /// The duration in milliseconds, such as `1.234 ms`.
    var text: String { "\((self / .milliseconds(1)).rounded(to: 3)) ms" }
}

extension Double {
    func rounded(to digits: Int) -> Double {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
