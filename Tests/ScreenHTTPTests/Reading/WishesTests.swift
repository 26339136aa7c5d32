@testable import ScreenHTTP
import ScreenService
import Testing

/// What a client says of how it would rather be answered.
@Suite(.timeLimit(.minutes(1))) struct WishesTests {
    @Test(arguments: [
        ("wait=5", 5), ("WAIT=5", 5), (#"wait="5""#, 5), ("wait = 5", 5), ("wait=05", 5), ("wait=0", 0), ("wait=60", 60),
        ("wait=61", 60), ("wait=86400", 60), ("wait=99999999999999999999999", 60), ("respond-async, wait=7", 7),
        ("respond-async,wait=7;x=y", 7), (#"handling=lenient, wait="7" , return=minimal"#, 7), (",, wait=3", 3),
        ("wait=3, wait=9", 3), ("wait=x, wait=9", nil), ("wait", nil), ("wait=", nil), (#"wait="""#, nil), ("wait=-1", nil),
        ("wait=+5", nil), ("wait=5s", nil), ("wait=1.5", nil), ("wait=५", nil), (#"wait="5"#, nil), ("waiting=5", nil),
        ("x;wait=5", nil), ("", nil), ("5", nil), ("=5", nil),
    ] as [(String, Int?)])
    func howLongAClientWouldWait(_ example: (prefer: String, seconds: Int?)) {
        #expect(Preferences.wait(prefer: example.prefer) == example.seconds, "\(example.prefer)")
    }

    @Test(arguments: [
        ("return=minimal", true), ("Return=minimal", true), (#"return="minimal""#, true), ("wait=5, return=minimal", true),
        ("return=minimal;x=y, wait=5", true), ("return=Minimal", false), ("return=representation", false), ("return", false),
        ("return=", false), ("return=representation, return=minimal", false), ("x;return=minimal", false), ("minimal", false),
        ("returns=minimal", false), ("", false),
    ])
    func whoWouldRatherHaveNoBody(_ example: (prefer: String, isMinimal: Bool)) {
        #expect(Preferences.wantsMinimalAnswer(prefer: example.prefer) == example.isMinimal, "\(example.prefer)")
    }

    @Test func noPreferenceIsNoWish() {
        #expect(Preferences.wait(prefer: nil) == nil)
        #expect(!Preferences.wantsMinimalAnswer(prefer: nil))
    }

    @Test(arguments: [
        ("text/event-stream", true), ("Text/Event-Stream", true), ("TEXT/EVENT-STREAM", true), ("text/event-stream;q=0.1", true),
        ("text/event-stream, application/json", false), ("application/json, text/event-stream", false),
        ("text/event-stream, */*", false), ("text/event-stream, application/*", false), ("text/event-stream;q=0.9, */*;q=0.9", false),
        ("text/event-stream, application/json;q=0.9", true), ("text/event-stream, application/json;q=0, */*", true),
        ("text/event-stream;q=0.1, text/html", true), ("text/event-stream, application/*;q=0.5, */*", true),
        ("application/json;q=0.5, text/event-stream;q=0.9", true), ("text/event-stream, */*;q=0.1", true),
        ("*/*, text/event-stream;q=0.5", false), ("application/json, text/event-stream;q=0.9", false),
        ("text/event-stream;q=0", false), ("text/*", false), ("*/*", false), ("application/json", false), ("", false),
    ])
    func whoAsksForAnEventStream(_ example: (accept: String, streams: Bool)) {
        #expect(Preferences.prefersEventStream(accept: example.accept) == example.streams, "\(example.accept)")
    }

    /// What `*` means takes all of the field to find out, so it is found out once: otherwise this takes minutes.
    @Test func aFieldOfThousandsOfRangesIsReadInOneGo() {
        let field = String(repeating: "*,", count: 20_000) + "en;q=0,fr;q=0"
        #expect(Preferences.locale(acceptLanguage: field, of: [.french, .english]) == .french)
    }
}
