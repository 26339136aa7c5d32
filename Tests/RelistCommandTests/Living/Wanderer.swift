import HTTPServer
import RawClient
import ScreenWire
import SeededRandom
import TemporaryDatabase
import Testing

/// Is a client that does what it likes with one screen, and holds what it is told.
final class Wanderer {
    private enum Step: CaseIterable {
        case act, page, poll, wait, stream, cut
    }

    private let ground: Ground
    private let ledger: Ledger
    private let address: BoundAddress
    private let client: RawClient
    private var random: SeededGenerator
    private var query: String
    private var held = HeldScreen()

    init(on ground: Ground, _ address: BoundAddress, _ ledger: Ledger, seed: UInt64) async throws {
        (self.ground, self.address, self.ledger) = (ground, address, ledger)
        client = try await RawClient(address)
        random = SeededGenerator(seed: seed)
        query = ground.queries[0]
    }

    /// Does something, and then sees that it holds what there is.
    func step() async throws {
        switch Step.allCases.randomElement(using: &random)! {
        case .act: _ = try await act(folding: true)
        case .page:
            query = ground.queries.randomElement(using: &random)!
            try await catchUp()
        case .poll: try await poll()
        case .wait: try await wait()
        case .stream: try await stream()
        case .cut: try await stream(missing: try await cut())
        }
        try await settle()
    }

    // MARK: - Steps

    /// Waits for a change of its own, or leaves while it waits.
    private func wait() async throws {
        let other = try await RawClient(address)
        try await other.begin("GET", changes + version, ["Prefer": ground.actions.isEmpty ? "wait=0" : "wait=60"])
        let isAnswered = try await act(folding: false) || held.version == nil || ground.actions.isEmpty
        guard isAnswered else { return }
        let answer = try await other.response()
        #expect(answer.status == 200)
        try fold(answer.body, "wait")
    }

    /// Listens, changes something, and takes what comes.
    ///
    /// - Parameter missing: whether something that it was not sent will come.
    private func stream(missing: Bool = false) async throws {
        let other = try await listen()
        // Without news nothing may come, unless it holds nothing.
        var isNews = missing || held.version == nil
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            if try await act(folding: false) { isNews = true }
            guard isNews else { return }
            try takeEvent(try #require(await other.event()))
            isNews = false
        }
    }

    /// Listens, and leaves in the middle of what comes.
    ///
    /// - Returns: whether something came.
    private func cut() async throws -> Bool {
        let other = try await listen()
        guard try await act(folding: false) else { return false }
        try await other.stir()
        return true
    }

    private func listen() async throws -> RawClient {
        let other = try await RawClient(address)
        var headers: Headers = ["Accept": "text/event-stream"]
        if let version = held.version { headers.append("Last-Event-ID", version) }
        try await other.begin("GET", changes, headers)
        let head = try await other.response()
        try #require(head.status == 200)
        #expect(try await other.event() == "retry: 2000\n\n")
        return other
    }

    private func takeEvent(_ event: String) throws {
        let lines = event.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 5 && lines[2].hasPrefix("data: "))
        let kind = try fold(Array(lines[2].dropFirst(6).utf8), "stream")
        #expect(lines[0] == "event: \(kind)" && lines[1] == "id: \(held.version ?? "")")
    }

    /// Asks for the way to what there is now.
    private func catchUp() async throws {
        guard let version = held.version else { return try await poll() }
        try fold(try await client.ask("POST", changes, [:], #"{"version":"\#(version)"}"#).body, "post")
    }

    private func poll() async throws {
        try fold(try await client.ask("GET", changes + version).body, "poll")
    }

    /// Changes something, unless a rule forbids it.
    ///
    /// - Returns: whether the screen is now one that never was before.
    private func act(folding: Bool) async throws -> Bool {
        guard let action = ground.actions.randomElement(using: &random) else { return false }
        guard let input = try action.input(held, &random) else { return false }
        let asked = held.version.map { #""version":"\#($0)","# } ?? ""
        let answer = try await client.ask(
            "POST", "/screens/\(ground.screen)/actions/\(action.name)?\(query)", ["Content-Type": "application/json"],
            #"{\#(folding ? asked : "")"input":\#(input)}"#
        )
        if answer.status == 422 { return false }
        try #require(answer.status == 200, "\(answer.text)")
        if folding {
            let before = held.version
            try fold(answer.body, "act")
            #expect(!action.isAlwaysNews || held.version != before, "it is not shown what it did")
        }
        return action.isAlwaysNews
    }

    // MARK: - Holding

    private var changes: String { "/screens/\(ground.screen)/changes?\(query)" }
    private var version: String { held.version.map { "&version=\($0)" } ?? "" }

    @discardableResult
    private func fold(_ bytes: [UInt8], _ way: String) throws -> String {
        let kind = try held.fold(bytes)
        ledger.count("\(way) \(kind)")
        return kind
    }

    /// Goes on until it holds a version that a GET returned, and compares.
    private func settle() async throws {
        while true {
            if let version = held.version, let document = ledger.document(of: version) {
                #expect(held.document == document)
                return
            }
            let answer = try await client.ask("GET", "/screens/\(ground.screen)?\(query)")
            try #require(answer.status == 200)
            let got = try #require(try JSONReader.read(answer.body)["version"]?.text)
            ledger.note(answer.text, of: got)
            if held.version != got { try await catchUp() }
        }
    }
}
