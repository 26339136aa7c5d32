import ScreenDiff
import ScreenModel
import ScreenWire

@testable import HTTPServer
@testable import ScreenClient
@testable import ScreenHTTP
@testable import ScreenService

/// The checks of the readers, by name. Each reads any bytes, and stops the process if a promise of the reader is broken.
enum Readers {
    nonisolated(unsafe) static let all: [String: ([UInt8]) -> Void] = [
        "json": json, "documents": documents, "bodies": bodies, "queries": queries, "heads": heads, "preferences": preferences,
        "tokens": tokens, "positions": positions, "outlines": outlines, "events": events,
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func written(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        value.write(to: &writer)
        return writer.bytes
    }

    /// A value that was read is written as text that reads as the same value.
    private static func json(_ bytes: [UInt8]) {
        guard let value = try? JSONReader.read(bytes) else { return }
        let first = written(value)
        guard let again = try? JSONReader.read(first) else { fatalError("what was written cannot be read") }
        precondition(written(again) == first, "a value changes when it is read and written again")
    }

    /// The bytes are an array of a snapshot and changesets. A changeset that fits yields a snapshot that can be read.
    private static func documents(_ bytes: [UInt8]) {
        guard case .array(let values)? = try? JSONReader.read(bytes), let first = values.first else { return }
        guard var tree = try? SnapshotTree(first) else { return }
        for value in values.dropFirst() {
            guard let changeset = try? ChangesetTree(value) else { continue }
            let played = try? Playback(of: changeset, on: tree).result
            var applied = tree
            guard (try? applied.apply(changeset)) != nil else { continue }
            if let played { precondition(played.document().bytes == applied.document().bytes, "two ways of applying differ") }
            let document = applied.document().bytes
            guard let read = try? JSONReader.read(document), let again = try? SnapshotTree(read) else {
                fatalError("a changeset that fits yields a snapshot that cannot be read")
            }
            precondition(again.document().bytes == document, "a snapshot changes when it is read and written again")
            tree = applied
        }
    }

    private static func bodies(_ bytes: [UInt8]) {
        _ = try? RequestBody.version(in: bytes)
        _ = try? RequestBody.action(in: bytes)
    }

    private static func queries(_ bytes: [UInt8]) {
        let text = text(bytes)
        for rule in [QueryRule.ofScreen(accepting: ProtocolParameter.allCases), .accepting([.locale])] {
            let query = Query(text[...], by: rule, locales: [.english, .french])
            precondition(query.parameters.count <= bytes.count)
        }
        guard let decoded = PercentEncoding.decode(text[...]) else { return }
        precondition(decoded.utf8.count <= text.utf8.count, "decoding makes a text longer")
    }

    /// The lines are the head of a request, as libmicrohttpd leaves it in memory: separators are zero bytes.
    private static func heads(_ bytes: [UInt8]) {
        let head = bytes
        let target = Array(head.drop { $0 != 0 }.dropFirst().prefix { $0 != 0 })
        let version = (head.firstIndex(of: 0) ?? 0) + 1 + target.count + 1
        if version + 8 <= head.count { _ = RawHead.refusal(of: head.span, target: target.span, version: version, fieldCount: 1) }
        _ = HostField.isValid(bytes.span)
        var headers = Headers()
        for line in text(bytes).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            headers.append(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
        for version in [HTTPVersion.http10, .http11] { _ = HeadVerdict.on(headers, version: version, maximumBodyBytes: 1000) }
    }

    private static func preferences(_ bytes: [UInt8]) {
        let text = text(bytes)
        _ = AcceptedCodings(text).isSatisfiable
        _ = Preferences.locale(acceptLanguage: text, of: [.english, .french])
        _ = Preferences.prefersEventStream(accept: text)
        _ = Preferences.prefersMinimalResponse(prefer: text)
        if let seconds = Preferences.wait(prefer: text) { precondition((0...60).contains(seconds), "a wait is too long") }
        _ = Preferences.matches(ifNoneMatch: text, tag: "\"a\"")
        for node in ForwardedAddresses.elements(forwardedFor: text) + ForwardedAddresses.elements(forwarded: text) {
            _ = node.flatMap(ForwardedAddresses.address)
        }
        _ = AddressRange(text)
        _ = CrossOrigin.Origin(text)
        _ = AllowedHosts.Name(text)
    }

    private static func tokens(_ bytes: [UInt8]) {
        _ = try? Token(text(bytes))
    }

    /// Only the token of a position is accepted.
    private static func positions(_ bytes: [UInt8]) {
        let tokens = PositionTokens(secret: Array(repeating: 7, count: PositionTokens.secretByteCount))
        let text = text(bytes)
        guard let position = tokens.position(of: text) else { return }
        precondition(tokens.token(for: position) == text, "a position has two tokens")
    }

    /// An outline with a valid seal can have any bytes, if the program that stored it had another format.
    private static func outlines(_ bytes: [UInt8]) {
        let hash = ContentHash(secret: Array(repeating: 7, count: ContentHash.secretByteCount))
        let key = HistoryKey(audience: .everyone, screen: "fuzzed", version: Version(high: 1, low: 2))
        _ = EncodedOutline(of: HistoryRecord(key: key, view: 1, outline: bytes, usedAt: 0), hash: hash)
        let sealed = bytes + EncodedOutline.seal(of: bytes, key, hash)
        guard let outline = EncodedOutline(of: HistoryRecord(key: key, view: 1, outline: sealed, usedAt: 0), hash: hash) else { return }
        precondition(EncodedOutline(outline: outline.outline, title: outline.title).bytes == bytes, "an outline changes when it is read")
    }

    /// The items of a stream do not depend on the pieces in which it arrives.
    private static func events(_ bytes: [UInt8]) {
        func items(_ pieces: [[UInt8]]) -> [EventStreamParser.Item]? {
            var parser = EventStreamParser(limit: 256)
            var items: [EventStreamParser.Item] = []
            for piece in pieces where (try? parser.parse(piece) { items.append($0) }) == nil { return nil }
            return items
        }
        let size = max(Int(bytes.first ?? 1) % 7, 1)
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        guard let whole = items([bytes]), let parts = items(pieces) else { return }
        precondition(whole == parts, "the pieces of a stream change its events")
    }
}
