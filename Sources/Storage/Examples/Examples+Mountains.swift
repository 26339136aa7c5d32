extension Examples {
    /// Mountains of all continents, in the order of their ranges.
    public static let mountains: [Mountain] = {
        // A paragraph is the line of a range, in English and in French, and a line for each of its
        // mountains: id, metres, countries, name. A range that is `–` is none.
        (europeanMountains + "\n\n" + otherMountains)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .split(separator: "")
            .flatMap { lines in
                let range = range(String(lines.first!))
                return lines.dropFirst().map { mountain($0, in: range) }
            }
    }()

    private static func range(_ line: String) -> TranslatedText? {
        let names = line.split(separator: " / ").map(String.init)
        return line == "–" ? nil : TranslatedText(english: names.first!, french: names.last!)
    }

    private static func mountain(_ line: Substring, in range: TranslatedText?) -> Mountain {
        let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
        return Mountain(
            id: parts[0],
            name: parts[3],
            metres: Int(parts[1])!,
            range: range,
            countries: parts[2].split(separator: ",").map(String.init)
        )
    }
}
