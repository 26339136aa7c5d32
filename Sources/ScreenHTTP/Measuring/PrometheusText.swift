/// The Prometheus text format, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats).
struct PrometheusText {
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// Writes the metrics of a registry, sorted by name and labels.
    init(of registry: MetricsRegistry) {
        for (name, family) in registry.families.sorted(by: { $0.key < $1.key }) {
            if let help = family.help { text += "# HELP \(name) \(Self.escaped(help))\n" }
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            for sample in (family.read?() ?? []).sorted(by: { $0.labels.lexicographicallyPrecedes($1.labels) }) {
                write(name, sample.labels, sample.value)
            }
            for (labels, instrument) in family.instruments.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                write(name, labels, instrument.reading)
            }
        }
    }

    private mutating func write(_ name: String, _ labels: [MetricsRegistry.Label], _ reading: InstrumentReading) {
        switch reading {
        case .number(let number): write(name, labels, number)
        case .histogram(let buckets, let sum):
            for (bound, count) in buckets {
                write(name + "_bucket", labels + [MetricsRegistry.Label(name: "le", value: Self.number(bound))], Double(count))
            }
            write(name + "_sum", labels, sum)
            write(name + "_count", labels, Double(buckets.last?.count ?? 0))
        }
    }

    private mutating func write(_ name: String, _ labels: [MetricsRegistry.Label], _ value: Double) {
        text += name
        if !labels.isEmpty {
            text += "{\(labels.map { "\($0.name)=\"\(Self.escaped($0.value, inQuotes: true))\"" }.joined(separator: ","))}"
        }
        text += " \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return "\(whole)" }
        if value.isNaN { return "NaN" }
        return value.isInfinite ? (value < 0 ? "-Inf" : "+Inf") : "\(value)"
    }

    private static func escaped(_ text: String, inQuotes: Bool = false) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where inQuotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

// MARK: - Names

extension PrometheusText {
    /// Returns the name of a metric, with `_` for each character that is not allowed.
    static func metricName(_ name: String) -> String { valid(name, allowingColons: true) }

    /// Returns the labels of an instrument, sorted by name. If two names become equal, the first label is kept. `le` is the name of a label
    /// of each histogram, so it becomes `le_`.
    static func labels(_ dimensions: [(String, String)]) -> [MetricsRegistry.Label] {
        var values: [String: String] = [:]
        for (name, value) in dimensions {
            let name = valid(name, allowingColons: false)
            let free = name == "le" ? "le_" : name
            if values[free] == nil { values[free] = value }
        }
        return values.map { MetricsRegistry.Label(name: $0, value: $1) }.sorted()
    }

    private static func valid(_ name: String, allowingColons: Bool) -> String {
        var valid = ""
        for character in name.unicodeScalars {
            let isLetter = ("a"..."z").contains(character) || ("A"..."Z").contains(character) || character == "_"
            let isDigit = ("0"..."9").contains(character)
            if isDigit, valid.isEmpty { valid += "_" }
            valid.unicodeScalars.append(isLetter || isDigit || allowingColons && character == ":" ? character : "_")
        }
        return valid.isEmpty ? "_" : valid
    }
}
