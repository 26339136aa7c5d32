import FaultyTransport
import Foundation
import MemoryTransport
import Synchronization

@testable import ScreenClient

/// A phone with an app that shows the words of a server. The app's process can end and start again.
@MainActor
final class Phone {
    let server: MemoryTransport
    let network: FaultyTransport
    private(set) var client: ScreenClient!
    private(set) var screen: LiveScreen!
    private let folder: URL
    private let session: Session
    private var following: Task<Void, Never>?

    init(_ server: MemoryTransport, session: Session = Session()) {
        (self.server, self.session) = (server, session)
        network = FaultyTransport(server)
        folder = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID())")
        open()
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts a new process of the app. Only the files of earlier processes still exist.
    func open() {
        let store = FileStore(folder: folder)
        client = ScreenClient(
            base: MemoryTransport.base, user: "ada", transport: network, snapshots: store, attempts: store,
            tokenSource: { [session] refused in try session.token(insteadOf: refused) })
        screen = client.screen("words")
    }

    func follow() {
        following = Task { [screen] in await screen?.follow() }
    }

    /// Waits until the app has stored the content that it shows, and then ends the process of the app.
    func close() async throws {
        while try !Task.isCancelled && stored() != screen.model.document() { await Task.yield() }
        following?.cancel()
        try await following?.ended()
        (screen, client) = (nil, nil)
    }

    private func stored() throws -> [UInt8] {
        let snapshots = folder.appending(path: "user-616461/snapshots")
        let files = (try? FileManager.default.contentsOfDirectory(at: snapshots, includingPropertiesForKeys: nil)) ?? []
        // A file that is still being written has a different extension.
        guard let file = files.first(where: { $0.pathExtension == "json" }) else { return [] }
        return try Array(Data(contentsOf: file).drop { $0 != UInt8(ascii: "\n") }.dropFirst())
    }

    /// Waits until the screen shows these words and the server has confirmed that they are current.
    func whenCurrent(_ words: String...) async {
        await whenTrue { screen.words == words && !screen.isStored }
    }
}

/// The session of a user. It renews its token after a server has rejected the token.
final class Session: Sendable {
    struct SignedOut: Error {}

    private struct State {
        var token = "token 1"
        /// The token that the next renewal returns, or `nil` if renewals fail.
        var next: String?
    }

    private let state = Mutex(State())

    func token(insteadOf refused: String?) throws -> String {
        try state.withLock { state in
            if refused == state.token {
                guard let next = state.next else { throw SignedOut() }
                state.token = next
            }
            return state.token
        }
    }

    func renew(with token: String?) {
        state.withLock { $0.next = token }
    }
}

extension LiveScreen {
    /// The words that the screen shows. Each word is the id of a cell.
    var words: [String] { model.sections.flatMap(\.cells).map(\.id) }
}
