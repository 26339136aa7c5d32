import ScreenModel

/// Writes content as text without any escaping, which shows order, keys and kinds of values.
struct Recorder: ContentWriter {
    private(set) var text = ""

    mutating func writeNull() { text += "null " }
    mutating func write(_ value: Bool) { text += "\(value) " }
    mutating func write(_ value: Int) { text += "\(value) " }
    mutating func write(_ value: Double) { text += "\(value) " }
    mutating func write(_ value: String) { text += "'\(value)' " }
    mutating func key(_ key: String) { text += "\(key): " }

    mutating func writeArray<Element: ContentValue>(_ elements: some Sequence<Element>) {
        text += "[ "
        for element in elements { element.write(to: &self) }
        text += "] "
    }

    mutating func writeObject(_ content: some Content) {
        text += "{ "
        content.writeFields(to: &self)
        text += "} "
    }
}

/// Returns what a value writes, as `{ key: 'text' list: [ 1 2.5 null ] }`.
func written(_ value: some ContentValue) -> String {
    var recorder = Recorder()
    value.write(to: &recorder)
    return String(recorder.text.dropLast())
}
