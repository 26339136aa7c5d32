import ContentCoding
import ContentDecoding
import Dispatch
import HTTPServer
import RawClient
import ScreenModel
import ScreenService
import ScreenWire
import Testing

@testable import ScreenHTTP

@Suite(.timeLimit(.minutes(1))) struct ContentEncoderTests {
    private let encoder = ContentEncoder(byteLimit: 1 << 20)
    private let browser = AcceptedCodings("gzip, deflate, br, zstd")

    private static func body(_ count: Int, seed: Int = 0) -> PreparedBody {
        let cells = (0..<count).map { #"{"id":"\#($0 * 7919 % 1009 + seed)","type":"delivery","title":"No. \#($0)"},"# }
        return PreparedBody(Array(cells.joined().utf8))
    }

    /// Returns the response to a client that accepts these codings.
    private func response(_ body: PreparedBody, _ fields: Headers = [:], _ accepted: AcceptedCodings) async throws -> PreparedResponse {
        let reply = encoder.encode(.prepared(PreparedResponse(headers: fields, body: body)), for: accepted)
        guard case .prepared(let response) = try await reply.answer else { throw CancellationError() }
        return response
    }

    @Test func allResponsesWithOneBodyShareItsCodedForm() async throws {
        let body = Self.body(100)
        let accepted = AcceptedCodings("zstd")
        let first = try await response(body, ["ETag": "\"1\""], accepted)
        let other = try await response(body, ["ETag": "\"1\"", "Vary": "Authorization"], accepted)
        #expect(first.body === other.body && first.response.headers["ETag"] == "W/\"1\"")
        #expect(other.response.headers["Vary"] == "Authorization" && other.response.headers["Content-Encoding"] == "zstd")
        #expect(try await response(body, ["ETag": "\"1\""], accepted) === first, "the response is prepared once")
    }

    /// If each request were a job of its own, the jobs for one large body would leave no room for others.
    @Test func manyRequestsForANewBodyShareOneJob() async throws {
        let body = Self.body(20_000)
        let fields: Headers = ["Vary": "Accept-Encoding"]
        try await withThrowingTaskGroup(of: PreparedBody.self) { group in
            for _ in 0..<3000 {
                group.addTask { try await response(body, fields, AcceptedCodings("gzip, identity;q=0")).body }
            }
            var bodies: [PreparedBody] = []
            for try await body in group { bodies.append(body) }
            #expect(bodies.allSatisfy { $0 === bodies[0] } && bodies[0].bytes.count < body.bytes.count / 4)
        }
    }

    @Test func aKnownCodedFormIsSentAtOnce() async throws {
        let body = Self.body(1000)
        let reply = { encoder.encode(.prepared(PreparedResponse(headers: [:], body: body)), for: browser) }
        guard case .later = reply().content else { throw CancellationError() }
        _ = try await reply().answer
        guard case .now = reply().content else { throw CancellationError() }
    }

    @Test func aBodyThatIsRequestedAgainIsEncodedInTheSmallestCoding() async throws {
        let body = Self.body(1000)
        let first = try await response(body, browser)
        #expect(first.response.headers["Content-Encoding"] == "zstd")
        var frequent = first
        while frequent === first {
            frequent = try await response(body, browser)
            await Task.yield()
        }
        #expect(frequent.response.headers["Content-Encoding"] == "br")
        #expect(frequent.body.bytes.count < first.body.bytes.count)
        #expect(try ContentCoding.br.decode(frequent.body.bytes) == body.bytes)
        #expect(try await response(body, AcceptedCodings("zstd")).body === first.body, "clients without br receive the earlier form")
    }

    private func response(_ body: PreparedBody, _ accepted: AcceptedCodings) async throws -> PreparedResponse {
        try await response(body, [:], accepted)
    }

    @Test func aBodyStaysAsItIsIfItsCodedFormIsNotSmaller() async throws {
        var random = SystemRandomNumberGenerator()
        let noise = PreparedBody((0..<10_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        let small = PreparedBody(Array("{}".utf8))
        for body in [noise, small, PreparedBody([])] {
            for _ in 0..<2 {
                let sent = try await response(body, browser)
                #expect(sent.body === body && sent.response.headers["Content-Encoding"] == nil)
            }
        }
        let reply = encoder.encode(.prepared(PreparedResponse(headers: [:], body: small)), for: AcceptedCodings("gzip, identity;q=0"))
        #expect(try await reply.answer.headers["Content-Encoding"] == "gzip", "the client accepts nothing else")
    }

    @Test(
        arguments: [
            ["Cache-Control": "no-transform"], ["Cache-Control": "private, no-cache, No-Transform"],
            ["Cache-Control": "private", "cache-control": "no-transform"],
        ] as [Headers])
    func aBodyThatMustNotBeTransformedStaysAsItIs(fields: Headers) async throws {
        let body = Self.body(100)
        #expect(try await response(body, fields, browser).body === body)
    }

    /// A response of middleware has no `Vary` of its own.
    @Test func anEncodedResponseVariesByTheAcceptedCodings() async throws {
        let body = Self.body(30).bytes
        for (fields, vary) in [([:], "Accept-Encoding"), (["Vary": "Origin, accept-encoding"], "Origin, accept-encoding")]
            as [(Headers, String)]
        {
            let answer = try await encoder.encode(.response(Response(headers: fields, body: body)), for: browser).answer
            #expect(answer.headers["Content-Encoding"] == "zstd" && answer.headers.list(of: "Vary") == vary)
        }
    }

    /// Responses with a position differ for each request.
    @Test func responsesWithUniqueFieldsDoNotReplaceASharedOne() async throws {
        let body = Self.body(100)
        let shared = try await response(body, AcceptedCodings("gzip"))
        for number in 0..<20 {
            #expect(
                try await response(body, ["Relist-Position": "\(number)"], AcceptedCodings("gzip")).response.headers["Relist-Position"]
                    == "\(number)")
        }
        #expect(try await response(body, AcceptedCodings("gzip")) === shared)
    }

    @Test func whileTooManyBodiesWaitOthersAreNotCompressed() async throws {
        let threads = BlockingWork(width: 1, waitingLimit: 0)
        let encoder = ContentEncoder(byteLimit: 1 << 20, threads: threads)
        let body = Self.body(1000)
        let isBusy = DispatchSemaphore(value: 0)
        #expect(threads.enqueue { isBusy.wait() })
        defer { isBusy.signal() }
        for reply in [Reply.response(Response(headers: [:], body: body.bytes)), .prepared(PreparedResponse(headers: [:], body: body))] {
            let answer = try await encoder.encode(reply, for: browser).answer
            #expect(answer.status == 200 && answer.headers["Content-Encoding"] == nil)
            let refusal = try await encoder.encode(reply, for: AcceptedCodings("gzip, identity;q=0")).answer
            #expect(refusal.status == 503 && refusal.headers["Retry-After"] == "1")
        }
        #expect(await encoder.encodedPart(body).part.bytes.count > body.bytes.count, "the part is stored")
    }

    @Test func theCodedFormsTakeNoMoreThanTheirShareOfMemory() async throws {
        let encoder = ContentEncoder(byteLimit: 64 << 10)
        var bodies: [PreparedBody] = []
        for seed in 0..<200 {
            let body = Self.body(200, seed: seed)
            bodies.append(body)
            for coding in ContentCoding.allCases {
                let reply = encoder.encode(.prepared(PreparedResponse(headers: [:], body: body)), for: AcceptedCodings(coding.rawValue))
                guard case .prepared(let response) = try await reply.answer else { throw CancellationError() }
                #expect(response.response.headers["Content-Encoding"] == coding.rawValue, "\(seed) \(encoder.bytes)")
                #expect(encoder.bytes <= 64 << 10)
            }
        }
        #expect(encoder.bytes > 32 << 10)
        bodies = []
        // The forms of released bodies are not counted. A thread may release the last body a moment later.
        while encoder.bytes != 0 { await Task.yield() }
    }

    /// A form that is larger than the memory of all forms is sent, and removes no other forms.
    @Test func aFormThatIsTooLargeToBeKeptIsSent() async throws {
        let encoder = ContentEncoder(byteLimit: 32 << 10)
        let accepted = AcceptedCodings("gzip, identity;q=0")
        let ask = { (body: PreparedBody) async throws -> PreparedBody in
            let reply = encoder.encode(.prepared(PreparedResponse(headers: [:], body: body)), for: accepted)
            guard case .prepared(let response) = try await reply.answer else { throw CancellationError() }
            return response.body
        }
        let (small, large) = (Self.body(200), Self.body(40_000))
        let kept = try await ask(small)
        for _ in 0..<2 { #expect(try await ContentCoding.gzip.decode(ask(large).bytes) == large.bytes) }
        #expect(try await ask(small) === kept && encoder.bytes < 32 << 10)
    }

    @Test func aFormThatIsInUseOutlivesOthers() async throws {
        let encoder = ContentEncoder(byteLimit: 64 << 10)
        let used = Self.body(200)
        let form = { () async throws -> PreparedBody in
            let reply = encoder.encode(.prepared(PreparedResponse(headers: [:], body: used)), for: AcceptedCodings("gzip"))
            guard case .prepared(let response) = try await reply.answer else { throw CancellationError() }
            return response.body
        }
        let first = try await form()
        var others: [PreparedBody] = []
        for seed in 1..<200 {
            others.append(Self.body(200, seed: seed))
            _ = try await encoder.encode(.prepared(PreparedResponse(headers: [:], body: others[seed - 1])), for: AcceptedCodings("gzip"))
                .answer
            #expect(try await form() === first)
        }
    }
}

/// Tests of content codings over the API.
@Suite(.timeLimit(.minutes(1))) struct CodingNegotiationTests {
    /// A screen whose documents must not be compressed.
    private struct Secrets: Screen {
        static let name = "secrets"
        let title: Text = "Secrets"
        let visibility = Visibility.everyone
        let isStatic = true
        let isCompressible = false

        func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, NoteCell>> {
            let cells = (0..<100).map { NoteCell(id: "\($0)", text: "a secret") }
            return ScreenContent(title: "Secrets", model: TableViewModel(section: .init(id: "all", entities: cells) { $0 }))
        }
    }

    private static let any: Headers = ["Accept-Encoding": "gzip, br, zstd"]

    @Test func aScreenCanForbidTheCompressionOfItsDocuments() async throws {
        let store = ServiceStoreInMemory()
        let service = try await ScreenService(catalog: try ScreenCatalog([Secrets()]), store: store, logger: .quiet)
        let api = ScreenAPI(service: service, publicFolder: nil, sharedCacheSeconds: 10, logger: .quiet)
        func ask(_ method: String, _ target: String, _ body: String = "", _ fields: Headers = [:]) async throws -> Answer {
            var headers = Self.any
            headers.append(contentsOf: fields)
            return try await api.reply(to: Request(method: method, target: target, headers: headers)).answer(
                reading: .success(Array(body.utf8)))
        }
        let answers = [
            try await ask("GET", "/screens/secrets"), try await ask("GET", "/screens/secrets/changes"),
            try await ask("GET", "/screens/secrets/changes?version=unknown"),
            try await ask("POST", "/screens/secrets/changes", #"{"version":"unknown"}"#),
            try await ask("GET", "/screens/secrets/changes", "", ["Accept": "text/event-stream"]),
        ]
        for answer in answers {
            #expect(answer.status == 200 && answer.headers["Content-Encoding"] == nil)
            #expect(answer.headers["Cache-Control"]?.hasSuffix("no-transform") == true)
        }
        let refused = try await api.reply(
            to: Request(method: "GET", target: "/screens/secrets", headers: ["Accept-Encoding": "gzip, identity;q=0"])
        ).answer
        #expect(refused.status == 406, "the client accepts only a form that the screen forbids")
    }

    @Test(arguments: [Transport.memory, .socket]) func aClientThatAcceptsNoFormReceivesAProblemAndNoActionIsPerformed(
        _ transport: Transport
    )
        async throws
    {
        let site = try await transport.serve()
        let none: Headers = ["Accept-Encoding": "identity;q=0", "Content-Type": "application/json"]
        try await site.get("/screens/notes", none).expectProblem("not-acceptable", 406)
        try await site.post("/screens/notes/actions/add", #"{"input":{"text":"new"}}"#, none).expectProblem("not-acceptable", 406)
        #expect(try await !site.get("/screens/notes").text.contains("new"))
    }

    @Test(arguments: [Transport.memory, .socket]) func aStreamThatTheClientAcceptsInNoFormIsAProblem(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let fields: Headers = ["Accept": "text/event-stream", "Accept-Encoding": "br, identity;q=0"]
        try await site.get("/screens/notes/changes", fields).expectProblem("not-acceptable", 406)
    }

    @Test(arguments: Transport.allCases) func anEncodedRequestBodyIsRejected(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let version = try await site.get("/screens/notes").version
        for (target, isAction) in [("/screens/notes/changes", false), ("/screens/notes/actions/add", true)] {
            let fields: Headers = ["Content-Encoding": "gzip", "Content-Type": "application/json"]
            let answer = try await site.post(target, "{}", fields)
            try answer.expectProblem("unsupported-media-type", 415, outcome: isAction ? .notPerformed : nil)
            #expect(answer.headers["Accept-Encoding"] == "identity")
        }
        let wrongType = try await site.post("/screens/notes/actions/add", "{}", ["Content-Type": "text/plain"])
        #expect(wrongType.status == 415 && wrongType.headers["Accept-Encoding"] == nil)
        let plain = try await site.post("/screens/notes/changes", #"{"version":"\#(version)"}"#, ["Content-Encoding": "identity"])
        #expect(plain.status == 200)
    }

    /// An event with a document of more than 4 KB is encoded on a thread, while the stream pauses.
    @Test(arguments: LiveSite.codings) func aStreamSendsALargeDocumentInItsCoding(coding: ContentCoding?) async throws {
        let site = try await LiveSite(coding: coding)
        site.notes.set("inbox", to: (0..<1000).map { "note \($0)" })
        let clients = [try await site.stream("/screens/notes/changes"), try await site.stream("/screens/notes/changes")]
        let document = try await site.ask("GET", "/screens/notes/changes")
        for client in clients {
            #expect(try await client.event() == "event: snapshot\nid: \(try document.version)\ndata: \(document.text)\n\n")
        }
        site.drain()
        for client in clients {
            #expect(try await client.receivesReconnectionTime())
            #expect(try await client.event() == nil, "the stream ends with its checksum")
        }
        await site.stop()
    }
}
