import HTTPServer
import RawClient
import Synchronization
import Testing

/// Tests of requests that leave little or no memory for their bodies. If the server did not check the remaining memory, libmicrohttpd would
/// process such a request again and again until its deadline. The deadline is an hour here, so a failing test ends only at its time limit.
@Suite(.timeLimit(.minutes(1))) struct StallingTests {
    private static let chunked = "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let endless = String(repeating: "0", count: 10_300)

    @Test(arguments: [chunked + endless, chunked + "1;" + endless, chunked + "1\r\na\r\n" + endless])
    func aRequestWithAChunkSizeThatExceedsTheMemoryIsRejected(_ request: String) async throws {
        try await serve { address, _ in
            let client = try await RawClient(address)
            // The server may close the connection before everything is sent.
            try? await client.send(request)
            #expect(try await client.response().status == 411)
            _ = try? await client.rest()
        }
    }

    @Test func aHeadThatLeavesNoMemoryForABodyIsRejected() async throws {
        try await serve { address, _ in
            for length in stride(from: 8300, to: 9600, by: 100) {
                let client = try await RawClient(address, sending: Self.head("/", length: length))
                #expect(try await client.response().status == 431)
                #expect(try await client.untilClosed() == "")
            }
        }
    }

    /// The place of the tested request on its connection. The request is the first one, follows the response to an earlier request, or is
    /// sent together with an earlier request.
    private enum Place: CaseIterable {
        case first, later, pipelined

        var before: String { self == .first ? "" : get("/before") }
    }

    private enum Line: String, CaseIterable {
        case full = "\r\n"
        case bare = "\n"
        case zero = "\0xxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n"

        func repeated(_ length: Int) -> String {
            String(repeating: rawValue, count: length / rawValue.utf8.count)
        }
    }

    @Test(arguments: Place.allCases, Line.allCases)
    private func emptyLinesBeforeAHeadLeaveLessMemoryForTheHead(_ place: Place, _ line: Line) async throws {
        let calls = Mutex(0)
        try await serve(handler: {
            if $0.target == "/" { calls.withLock { $0 += 1 } }; return echo($0)
        }) { address, _ in
            var answered = 0
            for length in Array(stride(from: 0, to: 7000, by: 700)) + Array(stride(from: 7000, to: 10_400, by: 32)) {
                let status = try await Self.status(place, line.repeated(length) + Self.head("/", length: 100) + "body", address)
                // If the empty lines leave no memory at all, libmicrohttpd cannot respond.
                #expect(length < 7900 ? status == 200 : [nil, 414, 431].contains(status) || length < 8300 && status == 200)
                if status == 200 { answered += 1 }
                #expect(calls.withLock { $0 } == answered)
            }
        }
    }

    /// Opens a connection, and sends `request` at the given place: first, or after an earlier request. Returns the status of the response
    /// to `request`, or nil if the connection was closed without this response.
    private static func status(_ place: Place, _ request: String, _ address: BoundAddress) async throws -> Int? {
        let client = try await RawClient(address)
        if place == .later { #expect(try await client.ask(place.before).status == 200) }
        try? await client.send(place == .pipelined ? place.before + request : request)
        if place == .pipelined { #expect(try await client.response().status == 200) }
        return try? await client.response().status
    }

    @Test func theLengthLimitOfAHeadIncludesTheEmptyLinesBeforeTheHead() async throws {
        try await serve { address, _ in
            let longest = try await Self.longest { try await Self.status(.first, Self.head("/", length: $0) + "body", address) }
            let head = Self.head("/", length: 1000) + "body"
            for place in Place.allCases {
                let most = try await Self.longest {
                    try await Self.status(place, String(repeating: "\n", count: $0 - 1000) + head, address)
                }
                #expect(most == longest)
            }
        }
    }

    /// Returns the maximum length of a request that is answered with 200.
    private static func longest(_ status: (Int) async throws -> Int?) async throws -> Int {
        var (served, refused) = (1000, 9600)
        while refused - served > 1 {
            let middle = (served + refused) / 2
            if try await status(middle) == 200 { served = middle } else { refused = middle }
        }
        return served
    }

    private static func head(_ target: String, length: Int) -> String {
        let head = "POST \(target) HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\nX: \r\n\r\n"
        return head.replacing("X: ", with: "X: \(String(repeating: "x", count: max(length - head.utf8.count, 0)))")
    }
}
