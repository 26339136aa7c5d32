/// The samples of a text in the Prometheus text format (version 0.0.4). The parser is strict: each metric has a description and a type, and
/// its name follows the conventions.
struct ScrapedMetrics {
    enum Fault: Error, Equatable {
        case noLineEnd
        case line(String)
    }

    private var samples: [String: Double] = [:]
    private(set) var types: [String: Substring] = [:]
    private var described: Set<Substring> = []

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Fault.noLineEnd }
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            guard take(line) else { throw Fault.line(String(line)) }
        }
    }

    /// Returns the value of a sample, such as `a{b="c"}`. For the name of a metric with labels, returns the sum of its samples.
    subscript(name: String) -> Double? {
        if let value = samples[name] { return value }
        let labelled = samples.filter { $0.key.hasPrefix(name + "{") }
        return labelled.isEmpty ? nil : labelled.values.reduce(0, +)
    }

    private mutating func take(_ line: Substring) -> Bool {
        let words = line.split(separator: " ", maxSplits: 3)
        if line.hasPrefix("# HELP "), words.count == 4 { return described.insert(words[2]).inserted }
        if line.hasPrefix("# TYPE "), words.count == 4 {
            let isKnown = ["counter", "gauge", "histogram"].contains(words[3])
            return isKnown && described.contains(words[2]) && types.updateValue(words[3], forKey: String(words[2])) == nil
        }
        guard let match = line.wholeMatch(of: /(([a-z_][a-z0-9_]*)(?:{(?:[a-z_]+="(?:[^"\\]|\\.)*",?)+})?) (\S+)/) else { return false }
        guard let value = Double(match.3), isDeclared(String(match.2)) else { return false }
        return samples.updateValue(value, forKey: String(match.1)) == nil
    }

    private func isDeclared(_ name: String) -> Bool {
        if let type = types[name] { return (type == "counter") == name.hasSuffix("_total") && type != "histogram" }
        return ["_bucket", "_sum", "_count"].contains { name.hasSuffix($0) && types[String(name.dropLast($0.count))] == "histogram" }
    }
}
