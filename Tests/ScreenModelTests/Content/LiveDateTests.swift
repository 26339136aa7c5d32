import Foundation
import ScreenModel
import Testing

@Suite("Dates that change with time") struct LiveDateTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_825_599, "2000-02-29T11:59:59Z"),
            (1_783_846_800, "2026-07-12T09:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)]) func anInstantIsWrittenInUTC(seconds: Int64, text: String)
    {
        #expect(written(LiveDate(secondsSince1970: seconds, style: .relative)) == #"{"$date":"\#(text)","style":"relative"}"#)
        #expect(written(LiveDate(secondsSince1970: seconds)) == #"{"$date":"\#(text)"}"#)
    }

    @Test func anInstantIsWrittenAsFoundationWritesIt() {
        // From the year 1600 on. Before 1582, Foundation uses the Julian calendar, which RFC 3339 does not.
        for seconds in stride(from: -11_676_096_000, through: 253_402_300_799, by: 1_234_567_891) {
            let date = LiveDate(secondsSince1970: Int64(seconds))
            #expect(written(date) == #"{"$date":"\#(date.date.formatted(.iso8601))"}"#)
        }
    }

    @Test func aDateIsRoundedDownToASecond() {
        #expect(LiveDate(Date(timeIntervalSince1970: 1.9), style: .timer) == LiveDate(secondsSince1970: 1, style: .timer))
        #expect(LiveDate(Date(timeIntervalSince1970: -0.1)).secondsSince1970 == -1)
    }

    @Test(arguments: [(Date.distantFuture, Int64.max), (Date.distantPast, .min)])
    func anInstantOutsideOfTheYears1To9999IsLimited(date: Date, seconds: Int64) {
        let limit = LiveDate(secondsSince1970: seconds)
        #expect([-62_135_596_800, 253_402_300_799].contains(limit.secondsSince1970))
        #expect(LiveDate(date + (seconds > 0 ? 1e15 : -1e15)) == limit)
        #expect(written(LiveDate(Date(timeIntervalSince1970: .nan))).utf8.count == written(limit).utf8.count)
    }

    @Test func theSchemaOfADateHasAnInstantAndAnOptionalStyle() {
        let fields = DeclaredFields(of: LiveDate.self).fields
        #expect(fields.map(\.key) == ["$date", "style"] && fields.map(\.isRequired) == [true, false])
        #expect(fields.map { "\($0.type.shape)" } == ["instant", "choice([\"relative\", \"timer\"])"])
    }
}
