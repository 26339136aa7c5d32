import ScreenModel

/// The JSON that a value is written as.
func written(_ value: some ContentValue) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}
