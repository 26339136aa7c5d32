import Foundation
import ScreenModel
import ScreenWire
import Testing

@Suite("Decoding dates") struct LiveDateDecodingTests {
    private struct Order: Decodable {
        let placed: LiveDate
        let due: LiveDate?
    }

    @Test func aMemberOfACellIsDecodedAsADate() throws {
        let order: Order = try JSONReader.read(Array(#"{"placed":{"$date":"1970-01-01T01:00:01.5+01:00","style":"timer"}}"#.utf8)).decode()
        #expect(order.placed == LiveDate(secondsSince1970: 1, style: .timer) && order.due == nil)
    }

    @Test func aWrittenDateIsReadUnchanged() throws {
        for style in [nil] + LiveDate.Style.allCases {
            let date = LiveDate(secondsSince1970: 1_783_846_800, style: style)
            var writer = JSONWriter()
            date.write(to: &writer)
            #expect(try LiveDate(JSONReader.read(writer.bytes)) == date)
        }
    }

    @Test func aStyleThatIsNotKnownIsReadAsNoStyle() {
        for style: JSONValue in ["fuzzy", 7, nil] {
            #expect(LiveDate(["$date": "1970-01-01T00:00:00Z", "style": style])?.style == LiveDate.Style?.none)
        }
    }

    @Test(arguments: [["$date": "today"], ["$date": 7], ["date": "1970-01-01T00:00:00Z"], "1970-01-01T00:00:00Z", nil] as [JSONValue])
    func anyOtherValueIsNoDate(value: JSONValue) {
        #expect(LiveDate(value) == nil)
        #expect(throws: DecodingError.self) { try value.decode(LiveDate.self) }
    }
}
