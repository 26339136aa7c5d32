/// A strict parser of the Prometheus text format (version 0.0.4) for metrics with at most one label.
///
/// The name of a sample includes its label, as in `relist_waiting_reads{screen="notes"}`.
struct PrometheusText {
    enum Fault: Error, Equatable {
        case noLineEnd
        case line(String)
    }

    private(set) var samples: [String: Int] = [:]
    private var types: [String: Substring] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Fault.noLineEnd }
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            guard take(line.split(separator: " ", maxSplits: 3)) else { throw Fault.line(String(line)) }
        }
    }

    private mutating func take(_ words: [Substring]) -> Bool {
        switch (words.first, words.count) {
        case ("#", 4) where words[1] == "HELP": return true
        case ("#", 4) where words[1] == "TYPE" && ["counter", "gauge"].contains(words[3]):
            return types.updateValue(words[3], forKey: String(words[2])) == nil
        case (let sample?, 2):
            let parts = sample.split(separator: "{", maxSplits: 1)
            let name = parts[0]
            let isNamed = name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "_") }
            let isLabelled = parts.count == 1 || parts[1].wholeMatch(of: /[a-z]+="[^"\\{}]*"}/) != nil
            guard let type = types[String(name)], (type == "counter") == name.hasSuffix("_total") else { return false }
            guard isNamed, isLabelled, let value = Int(words[1]) else { return false }
            return samples.updateValue(value, forKey: String(sample)) == nil
        default: return false
        }
    }
}
