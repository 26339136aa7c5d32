import ScreenWire
import Testing

@testable import ScreenService

@Suite("Documents made from views") struct DerivedDocumentsTests {
    private let documents = DerivedDocuments(byteLimit: 100_000)

    private func keep(_ number: UInt64, of view: ComputedView) -> Document {
        view.keep([UInt8](repeating: 1, count: 1000), .changeset, for: .version(Version(high: number, low: 0)))
    }

    @Test func aViewStoresOnlyTheFirstOfSeveralDocumentsForTheSameRequest() {
        let view = ComputedView.some("a", in: documents)
        let first = view.keep([1, 2, 3], .snapshot, for: .noVersion(.initial))
        let bytes = documents.bytes
        let second = view.keep([4], .snapshot, for: .noVersion(.initial))
        #expect(first === second && documents.bytes == bytes)
        #expect(view.answer(to: .noVersion(.initial)) === first)
        #expect(view.answer(to: .noVersion(.smaller)) == nil)
    }

    @Test func theDocumentsOfEachViewAreStoredSeparately() {
        let views = ["a", "b"].map { ComputedView.some($0, in: documents) }
        let document = keep(1, of: views[0])
        #expect(views[0].answer(to: .version(Version(high: 1, low: 0))) === document)
        #expect(views[1].answer(to: .version(Version(high: 1, low: 0))) == nil)
    }

    @Test func theLeastRecentlyUsedDocumentsAreEvicted() {
        let view = ComputedView.some("a", in: documents)
        weak var first: Document?
        for number in 0..<UInt64(1000) {
            let document = keep(number, of: view)
            if number == 0 { first = document }
            #expect(documents.bytes <= 100_000)
        }
        #expect(first == nil)
        #expect(view.answer(to: .version(Version(high: 999, low: 0))) != nil)
    }

    @Test func documentsAreReleasedWithTheirView() {
        var view: ComputedView? = ComputedView.some("a", in: documents)
        weak var document: Document?
        document = view.map { keep(1, of: $0) }
        #expect(document != nil && documents.bytes >= 1000)
        view = nil
        #expect(document == nil && documents.bytes == 0)
    }
}
