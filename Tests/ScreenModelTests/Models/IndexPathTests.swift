import FoundationEssentials
import ScreenModel
import Testing

struct IndexPathTests {
    @Test func anIndexPathIsASectionThenAnItem() {
        let place = IndexPath(item: 2, section: 1)
        #expect(place == [1, 2])
        #expect(place.section == 1)
        #expect(place.item == 2)
    }
}
