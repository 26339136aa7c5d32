/// A response as it came over the socket.
struct Reception: Sendable {
    var status: Int
    var fields: [(name: String, value: String)]
    var body = ""

    init(head: String) {
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        status = Int(lines[0].split(separator: " ")[1]) ?? 0
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), String(parts[1].drop { $0 == " " }))
        }
    }

    subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }
}
