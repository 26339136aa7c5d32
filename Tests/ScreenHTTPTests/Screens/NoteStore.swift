import ScreenService
import Synchronization

/// A store of lists of notes. Each list has its own topic.
final class NoteStore: Sendable {
    private let lists = Mutex([
        "inbox": ["1", "2", "3", "4", "5"], "home": ["red", "blue"], "one": ["1"], "été+&=/": ["sun"],
        "news": [
            "a",
            "b",
        ],
    ])
    private let failure = Mutex<(any Error)?>(nil)
    private let topics: Topics

    init(topics: Topics) {
        self.topics = topics
    }

    /// Returns the notes of a list, or nil if there is no such list.
    func notes(in list: String) throws -> [String]? {
        topics.recorder?.record(Self.topic(of: list))
        if let failure = failure.withLock({ $0 }) { throw failure }
        return lists.withLock { $0[list] }
    }

    func set(_ list: String, to notes: [String]) {
        lists.withLock { $0[list] = notes }
        topics.announce([Self.topic(of: list)])
    }

    /// Makes all reads fail with the given error. If the error is nil, reads succeed again.
    func fail(with error: (any Error)?) {
        failure.withLock { $0 = error }
    }

    private static func topic(of list: String) -> Topic { Topic("list/\(list)") }
}
