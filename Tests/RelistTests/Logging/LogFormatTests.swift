import Logging
import ScreenService
import ScreenWire
import Synchronization
import Testing

@testable import Relist

@Suite struct LogFormatTests {
    private final class Lines: Sendable {
        private let kept = Mutex<[String]>([])

        var all: [String] { kept.withLock { $0 } }

        var logger: Logger {
            Logger(label: "test") { _ in
                var handler = JSONLogHandler(metadataProvider: LogFormat.trace)
                handler.write = { line in self.kept.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
                return handler
            }
        }
    }

    private let lines = Lines()

    @Test func aLineOfTheJSONFormIsOneObject() throws {
        lines.logger.warning("a \"quoted\"\nmessage", metadata: ["count": "1", "list": ["a", ["b": "c"]]])
        let line = try #require(lines.all.first)
        #expect(line.hasSuffix("}\n") && line.count { $0 == "\n" } == 1)
        #expect(
            line.contains(
                #""level":"warning","message":"a \"quoted\"\nmessage","metadata":{"count":"1","list":["a",{"b":"c"}]}}"#
            )
        )
        #expect(try JSONReader.read(Array(line.utf8))["time"] != nil)
    }

    @Test func aLineOfARequestHasItsIds() throws {
        let trace = RequestTrace(requestID: "a", traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        RequestTrace.$current.withValue(trace) { lines.logger.error("failed", metadata: ["error": "x"]) }
        lines.logger.error("failed")
        #expect(
            lines.all[0].hasSuffix(#""metadata":{"error":"x","requestId":"a","traceId":"4bf92f3577b34da6a3ce929d0e0e4736"}}"# + "\n"))
        #expect(lines.all[1].hasSuffix("\"message\":\"failed\"}\n"))
    }

    @Test func linesBelowTheLevelAreNotWritten() {
        lines.logger.debug("detail")
        #expect(lines.all == [])
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_399_042, "2000-02-28T23:59:59.042Z"), (951_868_799_999, "2000-02-29T23:59:59.999Z"),
        (4_102_444_800_000, "2100-01-01T00:00:00.000Z"),
    ]) func aTimeIsWrittenInUTCWithMilliseconds(_ milliseconds: Int64, _ text: String) {
        #expect(Timestamp(milliseconds: milliseconds).text == text)
    }
}
