import ContentCoding

/// A table with the sizes in bytes of a changeset and of a snapshot, in each content coding, as the server sends them.
struct SizeTable: CustomStringConvertible {
    let changeset: [UInt8]
    let snapshot: [UInt8]

    var description: String {
        let columns =
            [
                ["", "changeset", "snapshot"], ["identity", String(changeset.count), String(snapshot.count)],
            ]
            + ContentCoding.allCases.map { coding in
                [coding.rawValue] + [changeset, snapshot].map { String((coding.encodeIfSmaller($0) ?? $0).count) }
            }
        return (0..<3).map { row in
            columns.enumerated().map { index, column in
                let width = column.map(\.count).max() ?? 0
                let blanks = String(repeating: " ", count: width - column[row].count)
                return index == 0 ? column[row] + blanks : "  " + blanks + column[row]
            }.joined()
        }.joined(separator: "\n")
    }
}
