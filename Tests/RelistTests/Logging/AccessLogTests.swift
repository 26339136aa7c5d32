import Foundation
import Glibc
import Logging
import ScreenService
import ScreenWire
import Synchronization
import TemporaryDatabase
import Testing

@testable import Relist
@testable import ScreenHTTP

@Suite(.timeLimit(.minutes(1))) struct AccessLogTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/access.log"
    }

    /// The lines of the program's log.
    private final class Reported: Sendable {
        private let kept = Mutex<[JSONValue]>([])

        var lines: [JSONValue] { kept.withLock { $0 } }

        var logger: Logger {
            Logger(label: "test") { _ in
                var handler = JSONLogHandler()
                handler.write = { line in self.kept.withLock { $0.append((try? JSONReader.read(line)) ?? .null) } }
                return handler
            }
        }
    }

    private func log(to output: LogOutput, _ reported: Reported) -> AccessLog {
        AccessLog(output, callers: CallerHash(secret: Array(0...15)), logger: reported.logger)
    }

    private static func request(
        _ id: String = "a", status: Int? = 200, kind: ResponseKind = .snapshot(.initial), traceparent: String? = nil,
        caller: LimitKey = .user("ada")
    ) -> ObservedRequest {
        ObservedRequest(
            method: "GET", route: "/screens/{screen}/changes", screen: "notes", caller: caller,
            trace: RequestTrace(requestID: id, traceparent: traceparent), status: status, isComplete: status != nil, bodyBytes: 12,
            duration: .microseconds(1234), kind: kind, snapshotBytes: nil
        )
    }

    private func lines(at path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
            String.init)
    }

    @Test func aLineDescribesOneRequest() async throws {
        let log = log(to: try LogOutput(path: path), Reported())
        log.add(Self.request(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        await log.flush()
        let line = try #require(try lines(at: path).first)
        let time = try #require(line.firstMatch(of: #/^\{"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)",/#))
        #expect(
            line.dropFirst(time.0.count)
                == #"""
                "requestId":"a","traceId":"4bf92f3577b34da6a3ce929d0e0e4736","method":"GET","route":"/screens/{screen}/changes",\#
                "screen":"notes","status":200,"kind":"snapshot","reason":"initial","bytes":12,"milliseconds":1.234,\#
                "caller":"\#(CallerHash(secret: Array(0...15)).text(of: .user("ada")) ?? "")","isComplete":true}
                """#)
    }

    @Test func unknownPropertiesAreLeftOut() async throws {
        let log = log(to: try LogOutput(path: path), Reported())
        log.add(Self.request(status: nil, kind: .other, caller: .unknown))
        await log.flush()
        let line = try JSONReader.read(Array(try #require(try lines(at: path).first).utf8))
        for key in ["traceId", "status", "reason", "caller"] { #expect(line[key] == nil, "\(key)") }
        #expect(line["isComplete"] == .bool(false))
    }

    @Test func linesAreAppendedToAnExistingFile() async throws {
        for id in ["a", "b"] {
            let log = log(to: try LogOutput(path: path), Reported())
            log.add(Self.request(id))
            await log.flush()
        }
        #expect(try lines(at: path).count == 2)
    }

    @Test func aFileThatWasRenamedIsFollowedByANewOne() async throws {
        let log = log(to: try LogOutput(path: path), Reported())
        log.add(Self.request("old"))
        await log.flush()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        log.add(Self.request("new"))
        await log.flush()
        #expect(try lines(at: path + ".1").map { $0.contains(#""requestId":"old""#) } == [true])
        #expect(try lines(at: path).map { $0.contains(#""requestId":"new""#) } == [true])
    }

    @Test func aFileThatWasTruncatedIsContinuedAtItsBeginning() async throws {
        let log = log(to: try LogOutput(path: path), Reported())
        log.add(Self.request("old"))
        await log.flush()
        truncate(path, 0)
        log.add(Self.request("new"))
        await log.flush()
        #expect(try lines(at: path).map { $0.contains(#""requestId":"new""#) } == [true])
    }

    /// The pipe is not read until all requests have been added, so that the thread of the log is blocked.
    @Test func linesThatDoNotFitIntoTheBufferAreDroppedAndCounted() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let reported = Reported()
        let log = log(to: LogOutput(descriptor: ends[1]), reported)
        let total = 3 * AccessLog.entryLimit
        for _ in 0..<total { log.add(Self.request()) }
        async let flushed: Void = log.flush()
        let reading = Task.detached { [ends] in
            let file = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
            return try file.readToEnd() ?? Data()
        }
        await flushed
        close(ends[1])
        let written = try await reading.value.count { $0 == UInt8(ascii: "\n") }
        let counts = reported.lines.compactMap { $0["metadata"]?["count"] }
        let dropped = counts.reduce(0) { sum, count in
            guard case .string(let text) = count else { return sum }
            return sum + (Int(text) ?? 0)
        }
        #expect(dropped >= AccessLog.entryLimit / 2 && written + dropped == total)
        #expect(reported.lines.first?["metadata"]?["cause"] == .string("the buffer was full"))
    }

    @Test func linesThatCannotBeWrittenAreCountedWithTheCause() async throws {
        let reported = Reported()
        let log = log(to: try LogOutput(path: "/dev/full"), reported)
        log.add(Self.request())
        await log.flush()
        let report = try #require(reported.lines.first)
        #expect(report["metadata"]?["cause"] == .string("No space left on device") && report["metadata"]?["count"] == .string("1"))
    }

    @Test func aLogThatCannotBeOpenedIsReportedAtTheStart() async throws {
        await #expect(throws: AccessLog.CannotOpen.self) {
            _ = try await AccessLog.open(folder.path + "/none/access.log", hashingBy: ServiceStoreInMemory(), Reported().logger)
        }
    }
}
