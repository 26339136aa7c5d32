import SeededRandom
import Synchronization
import Testing

/// Keeps what a GET returned for each version. Equal content has an equal version, whatever the parameters were.
final class Ledger: Sendable {
    struct Entry {
        let version: String
        let document: String
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// Of each screen, in the order of their coming.
        var versions: [String: [String]] = [:]
    }

    private let state = Mutex(State())
    private let counts = Mutex<[String: Int]>([:])

    func note(_ document: String, of version: String, screen: String) {
        let earlier = state.withLock { state in
            if let earlier = state.entries[version] { return earlier.document }
            state.entries[version] = Entry(version: version, document: document)
            state.versions[screen, default: []].append(version)
            return document
        }
        #expect(earlier == document)
    }

    func document(of version: String) -> String? {
        state.withLock { $0.entries[version]?.document }
    }

    /// One of those that a screen ever had; nil before the first.
    func entry(of screen: String, using random: inout SeededGenerator) -> Entry? {
        state.withLock { state in
            state.versions[screen]?.randomElement(using: &random).flatMap { state.entries[$0] }
        }
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
