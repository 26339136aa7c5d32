import SeededRandom

/// A generator of random snapshots of one screen. The snapshots share some of their sections and cells.
package struct RandomSnapshots {
    private var generator: SeededGenerator
    private let hasTitle: Bool

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        hasTitle = Bool.random(using: &generator)
    }

    package mutating func next(version: String) -> String {
        var ids = (0..<Int.random(in: 0...24, using: &generator)).map { "c\($0)" }
        if Bool.random(using: &generator) { ids.shuffle(using: &generator) }
        ids.removeAll { _ in Int.random(in: 0..<4, using: &generator) == 0 }
        var sections = ["a", "b/~", "c", "é", "e"].filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
        if Bool.random(using: &generator) { sections.shuffle(using: &generator) }
        let texts = sections.enumerated().map { index, id in
            let cells = index == sections.count - 1 ? ids.count : Int.random(in: 0...ids.count, using: &generator)
            defer { ids.removeFirst(cells) }
            return section(id, Array(ids.prefix(cells)))
        }
        let title = hasTitle ? #","title":"\#(Int.random(in: 0..<3, using: &generator))""# : ""
        return
            #"{"kind":"snapshot","screen":"s","version":"\#(version)","layout":"table"\#(title),"sections":[\#(texts.joined(separator: ","))],"$k":1.0}"#
    }

    /// Returns the text that `SnapshotTree` writes for a generated snapshot. The text omits optional keys whose value is null.
    package static func written(_ snapshot: String) -> String {
        snapshot.replacing(#","link":null"#, with: "")
    }

    /// Returns a damaged text, in which one or two numbers or words are replaced.
    package mutating func damaged(_ text: String) -> String {
        let marks = Set("[]{},:")
        var tokens: [String] = []
        for character in text {
            if let last = tokens.last?.last, !marks.contains(last), !marks.contains(character) {
                tokens[tokens.count - 1].append(character)
            } else {
                tokens.append(String(character))
            }
        }
        let words = tokens.indices.filter { !marks.contains(tokens[$0].first ?? "[") }
        for _ in 0...Int.random(in: 0..<2, using: &generator) {
            let others = ["0", "1", "2", "7", "9007199254740991", "9223372036854775807", "-1", "null", "\"c1\"", "{}", "[]"]
            tokens[words.randomElement(using: &generator) ?? 0] = others.randomElement(using: &generator) ?? ""
        }
        return tokens.joined()
    }

    private mutating func section(_ id: String, _ cells: [String]) -> String {
        let header = optional(#","header":"#)
        let footer = optional(#","footer":"#)
        let badge = cells.first.map { #","supplementary":[{"kind":"badge","cell":"\#($0)","view":\#(view())}]"# } ?? ""
        let texts = cells.map { #"{"id":"\#($0)","# + view().dropFirst() }
        return #"{"id":"\#(id)","rest":"\#(id)"\#(header),"cells":[\#(texts.joined(separator: ","))]\#(footer)\#(badge)}"#
    }

    private mutating func optional(_ key: String) -> String {
        Bool.random(using: &generator) ? key + view() : ""
    }

    private mutating func view() -> String {
        let content = [#""n":1"#, #""n":1.0"#, #""n":null"#, #""n":{"deep":[1e2,null,"\n"]}"#, #""link":null"#, #""actions":[]"#]
        return #"{"type":"\#(Bool.random(using: &generator) ? "row" : "hologram")",\#(content.randomElement(using: &generator) ?? "")}"#
    }
}
