import Foundation
import Testing

@testable import ScreenClient

/// Runs the cases of `Tests/Fixtures/Client` on a `ClientMachine`. The JavaScript client runs the same cases. The README of the folder
/// describes the cases.
struct CaseTests {
    private static let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../Fixtures/Client").standardized
    private static let names = ["actions", "backoff", "documents", "positions", "streams", "tokens", "views"]

    @Test(arguments: names)
    func theMachineReactsAsEachCaseRequires(name: String) throws {
        let starts = try Self.read([String: [ClientStep]].self, "starts")
        for clientCase in try Self.read([ClientCase].self, name) where clientCase.only != "javascript" {
            var runner = CaseRunner()
            let start = try #require(starts[clientCase.start])
            for (index, step) in (start + clientCase.steps).enumerated() {
                let (seen, expected) = try runner.run(step)
                #expect(seen == expected, "\(clientCase.name), step \(index - start.count + 1)")
            }
        }
    }

    @Test func everyCaseFileIsRunAndACaseForOnlyOneClientStatesTheReason() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".json") }
        #expect(files.sorted() == (Self.names + ["starts"]).sorted().map { "\($0).json" })
        for clientCase in try Self.names.flatMap({ try Self.read([ClientCase].self, $0) }) {
            #expect((clientCase.only == nil) == (clientCase.reason == nil), "\(clientCase.name)")
            #expect([nil, "swift", "javascript"].contains(clientCase.only), "\(clientCase.name)")
        }
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: "\(name).json")))
    }
}

private struct ClientCase: Decodable {
    let name: String
    let only: String?
    let reason: String?
    let start: String
    let steps: [ClientStep]
}

/// A step of a case: an event, and the expected reaction of the client.
private struct ClientStep: Decodable {
    let owner: String?
    let key: String?
    let answer: String?
    let to: String?
    let stream: String?
    let version: String?
    let from: String?
    let misfit: Bool?
    let status: Int?
    let outcome: String?
    let retryAfter: Int?
    let position: String?
    let sharedMaxAge: Int?
    let time: String?
    let milliseconds: Int?
    let token: String?
    let network: String?
    let client: Reaction?

    struct Reaction: Decodable {
        let requests: [String]?
        let cancels: [String]?
        let takes: String?
        let discards: Bool?
        let pause: [Int]?
        let renews: Bool?
        let ends: [String: String]?
        let state: String?
    }

    var head: ClientMachine.DocumentHead? {
        guard [answer, stream].contains("snapshot") || [answer, stream].contains("changeset"), let version else { return nil }
        return .init(from: from, version: version)
    }
}

/// The reaction of a client to one step.
private struct Reaction: Equatable {
    var requests: [String] = []
    var cancels: [String] = []
    var takes: [String] = []
    var pauses: [[Int]] = []
    var renewals = 0
    var ends: [String: String] = [:]
    var held: String?
    var state: String?
}

/// A runner that performs the steps of a case on a machine. The server, the clock and the owner of the machine are simulated.
private struct CaseRunner {
    private struct Sent {
        let name: String
        let key: String?
        let isStream: Bool
        var hasOpened = false
    }

    private var machine = ClientMachine()
    private var now = Duration.seconds(1000)
    /// The requests in progress.
    private var requests: [Int: Sent] = [:]
    private var cancelled: Int?
    private var timers: [Int: Duration] = [:]
    private var seen = Reaction()
    /// The requests that were sent in this step.
    private var fresh: [Int] = []

    /// Performs a step.
    ///
    /// - Returns: The reaction of the machine, and the reaction that the case expects.
    mutating func run(_ step: ClientStep) throws -> (Reaction, Reaction) {
        (seen, fresh) = (Reaction(), [])
        let before = step.client?.discards == true ? nil : machine.held
        try perform(step)
        seen.requests = fresh.compactMap { requests[$0]?.name }.sorted()
        seen.held = machine.held
        seen.state = step.client?.state.map { _ in state }
        let client = step.client
        return (
            seen,
            Reaction(
                requests: (client?.requests ?? []).sorted(), cancels: client?.cancels ?? [], takes: client?.takes.map { [$0] } ?? [],
                pauses: client?.pause.map { [$0] } ?? [], renewals: client?.renews == true ? 1 : 0, ends: client?.ends ?? [:],
                held: client?.takes == nil ? before : step.version, state: client?.state)
        )
    }

    private var state: String {
        switch machine.connection {
        case .idle: "idle"
        case .requesting, .waiting: "connecting"
        case .streaming, .polling: machine.isStale ? "stale" : "live"
        case .failed: "stopped"
        case .paused: "paused"
        }
    }

    private mutating func perform(_ step: ClientStep) throws {
        if let owner = step.owner { return try own(owner, step.key) }
        if let answer = step.answer { return try receive(answer, step) }
        if let stream = step.stream { return try receiveStreamed(stream, step) }
        if let time = step.time { return pass(time == "passes" ? now + .milliseconds(step.milliseconds ?? 0) : try endOfPause()) }
        if let token = step.token { return handle(token == "renewed" ? .tokenRenewed : .tokenFailed) }
        try #require(step.network == "back")
        handle(.networkChanged)
    }

    private mutating func own(_ owner: String, _ key: String?) throws {
        switch owner {
        case "follow", "resume": handle(.follow)
        case "load": handle(.refresh)
        case "show": handle(.show)
        case "pause": handle(.pause)
        case "reset": handle(.reset)
        default: handle(.perform(key: try #require(key), isInDoubt: false, expiry: now + .seconds(23 * 3600)))
        }
    }

    private mutating func receive(_ answer: String, _ step: ClientStep) throws {
        let id = step.to == "cancelled" ? cancelled : requests.first { $0.value.key == step.to }?.key
        let request = try #require(id, "no request is in progress")
        requests[request] = nil
        switch answer {
        case "lost", "page", "json": handle(.failed(request, .unreachable))
        case "problem":
            let problem = ClientMachine.Failure.problem(
                status: try #require(step.status), retryAfter: step.retryAfter.map { .seconds($0) },
                outcome: step.outcome.flatMap { .init(rawValue: $0) })
            handle(.failed(request, problem))
        default:
            let age = Duration.seconds(step.sharedMaxAge ?? 0)
            handle(.answered(request, .init(step.head, position: step.position, sharedMaxAge: age)), isMisfit: step.misfit == true)
        }
    }

    private mutating func receiveStreamed(_ stream: String, _ step: ClientStep) throws {
        let id = try #require(requests.first { $0.value.isStream }?.key, "no stream is in progress")
        if requests[id]?.hasOpened == false {
            requests[id]?.hasOpened = true
            handle(.opened(id))
        }
        switch stream {
        case "opens": break
        case "comment", "unknown": handle(.received(id))
        case "ends", "breaks":
            requests[id] = nil
            handle(stream == "ends" ? .ended(id) : .failed(id, .unreachable))
        case "stale": handle(.stale(id))
        case "retry": handle(.suggestedPause(id, .milliseconds(try #require(step.milliseconds))))
        case "current": handle(.confirmed(id, version: try #require(step.version)))
        default: handle(.document(id, try #require(step.head)), isMisfit: step.misfit == true)
        }
    }

    private func endOfPause() throws -> Duration {
        try #require(timers.filter { requests[$0.key] == nil }.values.max(), "there is no pause")
    }

    private mutating func pass(_ end: Duration) {
        while let timer = timers.min(by: { $0.value < $1.value }), timer.value <= end {
            timers[timer.key] = nil
            now = max(now, timer.value)
            handle(.woke(timer.key))
        }
        now = end
    }

    private mutating func handle(_ event: ClientMachine.Event, isMisfit: Bool = false) {
        let held = machine.held
        var effects = machine.handle(event, at: now)
        if isMisfit, let held, let index = effects.firstIndex(of: .take(.apply)) {
            effects.remove(at: index)
            effects += machine.handle(.misfit(held: held), at: now)
        }
        for effect in effects { perform(effect) }
    }

    private mutating func perform(_ effect: ClientMachine.Effect) {
        switch effect {
        case .send(let id, let request):
            requests[id] = Sent(name: request.name, key: request.key, isStream: request.isStream)
            fresh.append(id)
        case .cancel(let id):
            timers[id] = nil
            guard let request = requests.removeValue(forKey: id) else { return }
            // A request that is sent and cancelled in the same step is not listed as cancelled, because the owner of the machine sends
            // requests only after the machine has handled the whole event.
            if !fresh.contains(id) { seen.cancels.append(request.name) }
            cancelled = id
        case .sleep(let id, let range):
            timers[id] = now + range.upperBound
            if requests[id] == nil { seen.pauses.append([range.lowerBound, range.upperBound].map { Int($0 / .milliseconds(1)) }) }
        case .take(let disposition): seen.takes.append(disposition == .apply ? "apply" : "replace")
        case .renewToken: seen.renewals += 1
        case .resolve(let key, let result): seen.ends[key] = result.name
        case .save, .share, .loaded, .publish: break
        }
    }
}

extension ClientMachine.Request {
    /// The name that the cases use for the request.
    fileprivate var name: String {
        let at = positions.isEmpty ? "" : " at \(positions.joined(separator: ", "))"
        switch kind {
        case .snapshot: return "snapshot\(at)"
        case .changes(let from): return "changes from \(from)\(at)"
        case .poll(let from): return "poll from \(from)\(at)"
        case .stream(let from): return "stream from \(from)\(at)"
        case .action(let key, let from): return "action \(key) \(from.map { "from \($0)" } ?? "minimal")\(at)"
        }
    }

    fileprivate var key: String? {
        if case .action(let key, _) = kind { key } else { nil }
    }

    fileprivate var isStream: Bool {
        if case .stream = kind { true } else { false }
    }
}

extension ClientMachine.ActionResult {
    /// The name that the cases use for the result.
    fileprivate var name: String {
        switch self {
        case .performed: "performed"
        case .rejected: "rejected"
        case .undecided: "undecided"
        }
    }
}
