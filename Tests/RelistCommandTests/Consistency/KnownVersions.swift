import SeededRandom
import Synchronization
import Testing

/// The document that a GET request returned for each known version. Views with equal content have equal versions, even if their
/// parameters differ.
final class KnownVersions: Sendable {
    struct Entry {
        let version: String
        let document: String
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The versions of each screen, in the order in which they were first seen.
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

    /// Returns a random version that a screen has had, or nil if no version of the screen is known.
    func entry(of screen: String, using random: inout SeededGenerator) -> Entry? {
        state.withLock { state in
            state.versions[screen]?.randomElement(using: &random).flatMap { state.entries[$0] }
        }
    }

    /// Adds 1 to the number of events of a kind, such as `wait changeset` or `return, known`.
    func count(_ kind: String) {
        counts.withLock { $0[kind, default: 0] += 1 }
    }

    /// The number of events of each kind, as text.
    var summary: String {
        counts.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ") }
    }

    func counted(_ kind: String) -> Int {
        counts.withLock { $0[kind, default: 0] }
    }
}
