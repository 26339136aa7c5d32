/// Names a place in a text as editors do: lines and columns from 1 on, columns in bytes.
struct TextPlace: CustomStringConvertible {
    let line: Int
    let column: Int

    init(offset: Int, in bytes: [UInt8]) {
        let before = bytes.prefix(offset)
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
    }

    var description: String { "\(line):\(column)" }
}
