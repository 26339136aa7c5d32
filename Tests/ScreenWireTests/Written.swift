import ScreenModel

/// Returns the JSON of a value.
func written(_ value: some ContentValue) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}
