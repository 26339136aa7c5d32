import Synchronization
import Testing

/// Keeps what a GET returned for each version. Equal content has an equal version, whatever the parameters were.
final class Ledger: Sendable {
    private let documents = Mutex<[String: String]>([:])
    private let counts = Mutex<[String: Int]>([:])

    func note(_ document: String, of version: String) {
        let earlier = documents.withLock { $0.updateValue(document, forKey: version) }
        if let earlier { #expect(earlier == document) }
    }

    func document(of version: String) -> String? {
        documents.withLock { $0[version] }
    }

    /// Counts documents of a kind that clients received in some way.
    func count(_ kind: String) {
        counts.withLock { $0[kind, default: 0] += 1 }
    }

    /// What was counted, for people.
    var summary: String {
        counts.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ") }
    }

    func counted(_ kind: String) -> Int {
        counts.withLock { $0[kind, default: 0] }
    }
}
