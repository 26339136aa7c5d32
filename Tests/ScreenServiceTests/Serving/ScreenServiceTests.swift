import ScreenModel
import ScreenWire
import SeededRandom
import Testing

@testable import ScreenService

@Suite("The service") struct ScreenServiceTests {
    /// The letters of a list that is long enough for a changeset to be smaller than a snapshot.
    static let many = (0..<40).map { "c\($0)" }

    @Test func cachedDocumentsAreReturnedImmediately() async throws {
        let letters = try await LetterService()
        let view = letters.view()
        #expect(letters.service.snapshot(of: view).immediateValue == nil)
        #expect(letters.service.changes(of: view, from: nil).immediateValue == nil)
        let snapshot = try await letters.service.snapshot(of: view).value
        #expect(letters.service.snapshot(of: view).immediateValue === snapshot)
        #expect(try await letters.service.snapshot(of: view).value === snapshot)
        for version in [nil, "garbage", snapshot.version] {
            #expect(letters.service.changes(of: view, from: version).immediateValue == nil)
            let changes = try await letters.service.changes(of: view, from: version).value
            #expect(letters.service.changes(of: view, from: version).immediateValue === changes)
            #expect(try await letters.service.changes(of: view, from: version).value === changes)
        }
        #expect(letters.service.metrics.totals == .counted(computations: 1))
    }

    @Test func requestsWithDifferentUnknownVersionsReceiveTheSameDocument() async throws {
        let letters = try await LetterService()
        let answer = try await letters.service.changes(of: letters.view(), from: "garbage").value
        for version in ["", "x", Version(high: 1, low: 2).description, String(repeating: "7", count: 1000)] {
            #expect(try await letters.service.changes(of: letters.view(), from: version).value === answer)
        }
    }

    @Test func theDocumentInAResponseDependsOnTheVersionInTheRequest() async throws {
        let letters = try await LetterService(Self.many)
        let view = letters.view()
        let old = try await letters.service.snapshot(of: view).value
        letters.store.write(Self.many + ["new"])
        let new = try await letters.service.snapshot(of: view).value
        #expect(old.version != new.version)
        let initial = try await letters.service.changes(of: view, from: nil).value
        let unknown = try await letters.service.changes(of: view, from: "x").value
        for (answer, reason) in [(initial, "initial"), (unknown, "unknown-version")] {
            #expect(answer.text == new.text.replacing(#"{"kind":"snapshot","#, with: #"{"kind":"snapshot","reason":"\#(reason)","#))
        }
        let opening = #"{"kind":"changeset","screen":"letters","from":"\#(old.version)","version":"\#(new.version)","stages":"#
        let cell = #"{"id":"new","type":"row","text":"the letter new","number":null}"#
        let changed = try await letters.service.changes(of: view, from: old.version).value
        #expect(
            changed.text == opening + #"[{"insertCells":[{"at":[0,40],"cells":[\#(cell)]}]},"#
                + #"{"updateSections":[{"at":0,"header":{"type":"label","text":"41 letters"}}]}]}"#
        )
        let unchanged = try await letters.service.changes(of: view, from: new.version).value
        #expect(
            unchanged.text == #"{"kind":"changeset","screen":"letters","from":"\#(new.version)","version":"\#(new.version)","stages":[]}"#)
        for answer in [initial, unknown, changed, unchanged] { #expect(answer.version == new.version && answer.locale == .english) }
        #expect(letters.service.metrics.totals == .counted(computations: 2, diffs: 1))
    }

    @Test func aSnapshotIsSentInsteadOfALargerChangeset() async throws {
        let letters = try await LetterService(["a"])
        let old = try await letters.service.snapshot(of: letters.view()).value
        letters.store.write([])
        let answer = try await letters.service.changes(of: letters.view(), from: old.version).value
        #expect(answer.text.hasPrefix(#"{"kind":"snapshot","reason":"smaller","screen":"letters","#))
    }

    @Test(arguments: Seeds.first(2)) func aResponseToARequestForChangesIsNeverLargerThanTheSnapshot(seed: UInt64) async throws {
        let letters = try await LetterService()
        var lists = SeededLists(seed: seed)
        var versions: [String] = []
        var areChangesets: Set<Bool> = []
        for _ in 0..<40 {
            letters.store.write(lists.next().sections.flatMap(\.rows).map(\.id))
            let snapshot = try await letters.service.snapshot(of: letters.view()).value
            for version in versions {
                let answer = try await letters.service.changes(of: letters.view(), from: version).value
                #expect(answer.bytes.count <= snapshot.bytes.count + #""reason":"smaller","#.utf8.count)
                areChangesets.insert(answer.text.hasPrefix(#"{"kind":"changeset""#))
            }
            versions.append(snapshot.version)
        }
        #expect(areChangesets == [true, false])
    }

    @Test func aWriteOutdatesOnlyTheViewsThatReadItsTopic() async throws {
        let letters = try await LetterService()
        let views = [
            letters.view(), letters.view(["q": "a"]), letters.view(locale: .french), letters.view(of: "notes", user: "a"),
            letters.view(of: "notes", user: "b"),
        ]
        for view in views { _ = try await letters.service.snapshot(of: view).value }
        #expect(letters.service.metrics.current.computations == 5)
        letters.store.write(["x"], of: "a")
        #expect(views.map { letters.service.snapshot(of: $0).immediateValue != nil } == [true, true, true, false, true])
        letters.store.write(["x"])
        #expect(views.map { letters.service.snapshot(of: $0).immediateValue != nil } == [false, false, false, false, true])
        for view in views { _ = try await letters.service.snapshot(of: view).value }
        #expect(letters.service.metrics.current.computations == 9)
    }

    @Test func theCurrentVersionIsAnsweredWithAnEmptyChangesetEvenAfterItsEviction() async throws {
        let letters = try await LetterService(bounds: HistoryBounds(memoryBytes: 0), cacheBytes: 0)
        let snapshot = try await letters.service.snapshot(of: letters.view()).value
        #expect(letters.service.usage.versions == 0)
        let answer = try await letters.service.changes(of: letters.view(), from: snapshot.version).value
        #expect(answer.text.hasSuffix(#""stages":[]}"#))
        letters.store.write(["x"])
        #expect(
            try await letters.service.changes(of: letters.view(), from: snapshot.version).value.text.contains(
                #""reason":"unknown-version""#))
    }

    @Test func aRestartedServiceKnowsEarlierVersions() async throws {
        let historyStore = HistoryInMemory()
        let before = try await LetterService(Self.many, over: historyStore)
        let old = try await before.service.snapshot(of: before.view()).value
        await before.history.flush()
        let after = try await LetterService(Self.many.reversed(), over: historyStore)
        let answer = try await after.service.changes(of: after.view(), from: old.version).value
        var held = try HeldDocument(old.bytes)
        try held.apply(answer.bytes)
        #expect(try await held == HeldDocument(after.service.snapshot(of: after.view()).value.bytes))
        let same = try await LetterService(Self.many, over: historyStore)
        #expect(try await same.service.changes(of: same.view(), from: old.version).value.text.hasSuffix(#""stages":[]}"#))
    }

    @Test func earlierVersionsAreUnknownAfterTheSecretChanges() async throws {
        let historyStore = HistoryInMemory()
        let before = try await LetterService(Self.many, over: historyStore)
        let old = try await before.service.snapshot(of: before.view()).value
        await before.history.flush()
        let after = try await LetterService(Self.many, hash: .fixed(2), over: historyStore)
        let answer = try await after.service.changes(of: after.view(), from: old.version).value
        #expect(answer.text.contains(#""reason":"unknown-version""#))
        #expect(answer.version != old.version)
    }

    @Test func aVersionOfAnotherAudienceOrScreenIsUnknown() async throws {
        let letters = try await LetterService(Self.many)
        letters.store.write(Self.many, of: "a")
        letters.store.write(Self.many + ["x"], of: "b")
        let ofA = try await letters.service.snapshot(of: letters.view(of: "notes", user: "a")).value
        for view in [letters.view(of: "notes", user: "b"), letters.view()] {
            #expect(try await letters.service.changes(of: view, from: ofA.version).value.text.contains(#""reason":"unknown-version""#))
        }
        letters.store.write(Self.many + ["x"], of: "a")
        #expect(
            try await letters.service.changes(of: letters.view(of: "notes", user: "a"), from: ofA.version).value.text.contains(
                #""insertCells""#))
    }

    @Test func usersWithTheSameContentHaveDifferentVersions() async throws {
        let letters = try await LetterService()
        for user in ["a", "b"] { letters.store.write(["1"], of: user) }
        let ofA = try await letters.service.snapshot(of: letters.view(of: "notes", user: "a")).value
        let ofB = try await letters.service.snapshot(of: letters.view(of: "notes", user: "b")).value
        #expect(ofA.text.replacing(ofA.version, with: "") == ofB.text.replacing(ofB.version, with: ""))
        #expect(ofA.version != ofB.version)
        #expect(letters.service.usage.versions == 2)
    }

    @Test func aClientReceivesChangesetsWhenThePageOrTheSearchOrTheLanguageChanges() async throws {
        let letters = try await LetterService(Self.many)
        let views = [
            letters.view(["limit": "10"]), letters.view(["limit": "20"]), letters.view(["q": "c1"]), letters.view(["q": "c12"]),
            letters.view(), letters.view(locale: .french), letters.view(["limit": "10"]),
        ]
        var held = try HeldDocument(await letters.service.snapshot(of: views[0]).value.bytes)
        var changesetCount = 0
        for view in views.dropFirst() {
            guard case .string(let version)? = held["version"] else { return #expect(Bool(false)) }
            let answer = try await letters.service.changes(of: view, from: version).value
            let snapshot = try HeldDocument(await letters.service.snapshot(of: view).value.bytes)
            if answer.text.hasPrefix(#"{"kind":"changeset""#) {
                changesetCount += 1
                try held.apply(answer.bytes)
                #expect(held == snapshot)
            } else {
                #expect(answer.text.contains(#""reason":"smaller""#))
            }
            held = snapshot
        }
        #expect(changesetCount >= 4)
    }

    @Test func theServiceCountsRepeatedIDs() async throws {
        let letters = try await LetterService(["a", "a", "b", "a"])
        let snapshot = try await letters.service.snapshot(of: letters.view()).value
        #expect(snapshot.text.contains(#""id":"a#3""#))
        #expect(letters.service.metrics.totals == .counted(computations: 1, renamedIDs: 2))
    }

    @Test func theSizeOfTheViewCacheIncludesCachedResponses() async throws {
        let letters = try await LetterService()
        _ = try await letters.service.snapshot(of: letters.view()).value
        let before = letters.service.usage
        let answer = try await letters.service.changes(of: letters.view(), from: nil).value
        #expect(letters.service.usage.viewBytes >= before.viewBytes + answer.bytes.count)
        #expect(letters.service.usage.views == 1 && before.versions == 1 && before.versionBytes > 0)
    }
}
