import ScreenModel

/// Writes down what a model shows, a line for each section, header, cell and footer:
///
///     section userInfo
///     header section title=My information
///     firstName field label=First name
///     footer more title=Show more → posts limit=40
func transcript(_ model: TableViewModel<some ViewContent, some CellContent>) -> [String] {
    model.flatMap { section in
        let header = section.header.map { ["header " + line($0)] } ?? []
        let footer = section.footer.map { ["footer " + line($0)] } ?? []
        return ["section \(section.id)"] + header + section.map { "\($0.id) " + line($0) } + footer
    }
}

private func line(_ view: some ViewContent) -> String {
    var fields = FieldRecorder()
    view.writeFields(to: &fields)
    let link = view.selection?.link.map { link in
        ["→", link.screen] + link.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
    return ([view.reuseIdentifier] + fields.fields + (link ?? [])).joined(separator: " ")
}

/// Takes scalars, which are all that these screens write.
private struct FieldRecorder: ContentWriter {
    private(set) var fields: [String] = []

    mutating func key(_ key: String) { fields.append(key + "=") }
    mutating func writeNull() { append("null") }
    mutating func write(_ value: Bool) { append("\(value)") }
    mutating func write(_ value: Int) { append("\(value)") }
    mutating func write(_ value: Double) { append("\(value)") }
    mutating func write(_ value: String) { append(value) }

    mutating func writeArray<Element: ContentValue>(_ elements: some Sequence<Element>) {
        for element in elements { element.write(to: &self) }
    }

    mutating func writeObject(_ content: some Content) {
        content.writeFields(to: &self)
    }

    private mutating func append(_ text: String) {
        fields[fields.count - 1] += text
    }
}
