import HTTPServer
import RawClient
import ScreenService
import Testing

@testable import ScreenHTTP

/// Tests that documents are released. If a document is never released, its test fails at the time limit.
@Suite("Releasing documents", .timeLimit(.minutes(1))) struct ReleasingTests {
    private struct Weak {
        weak var document: Document?
    }

    private let notes = (1...100).map { "\($0) \(String(repeating: "long ", count: 20))" }

    private func view(_ limit: Int, of site: Site) throws -> ScreenView {
        try site.api.service.catalog.view(
            of: "notes", parameters: [("limit", String(limit))], locale: .english, caller: .user("ada")
        )
    }

    /// Requests each kind of response for a view, so that the cache contains all responses of the view. Returns weak references to the
    /// documents of the view.
    private func documents(_ limit: Int, of site: Site) async throws -> [Weak] {
        let (service, view) = (site.api.service, try view(limit, of: site))
        _ = try await site.get("/screens/notes?limit=\(limit)")
        let tag = try await site.get("/screens/notes?limit=\(limit)").headers["ETag"]
        #expect(try await site.get("/screens/notes?limit=\(limit)", ["If-None-Match": tag ?? ""]).status == 304)
        _ = try await site.changes("/screens/notes/changes?limit=\(limit)", since: "none")
        guard case .now(let snapshot) = service.snapshot(of: view),
            case .now(let changes) = service.changes(of: view, from: "none")
        else { throw NotCached() }
        _ = DocumentResponses.event(of: changes)
        return [Weak(document: snapshot), Weak(document: changes)]
    }

    @Test func documentsAreReleasedWhenTheirViewsAreDiscarded() async throws {
        let site = try await Transport.memory.serve()
        site.notes.set("inbox", to: notes)
        var all: [Weak] = []
        for limit in 1...100 { all += try await documents(limit, of: site) }
        let bytes = all.reduce(0) { $0 + ($1.document?.bytes.count ?? 0) }
        #expect(bytes < 1 << 20)
        #expect(all.contains { $0.document == nil })
        #expect(all.contains { $0.document != nil })
        site.notes.set("inbox", to: ["new"])
        // Finished tasks may retain some of the documents a little longer.
        while all.contains(where: { $0.document != nil }) { await Task.yield() }
    }

    @Test func theSizeOfTheViewCacheIncludesCachedResponses() async throws {
        let site = try await Transport.memory.serve()
        site.notes.set("inbox", to: notes)
        let service = site.api.service
        _ = try await service.snapshot(of: view(100, of: site)).value
        let before = service.usage.viewBytes
        let documents = try await documents(100, of: site).compactMap(\.document)
        #expect(service.usage.viewBytes >= before + 2 * documents[1].bytes.count)
        site.notes.set("inbox", to: ["new"])
        // The loop ends when the outdated view and its cached responses have been released.
        while service.usage.viewBytes >= before { await Task.yield() }
    }
}

private struct NotCached: Error {}
