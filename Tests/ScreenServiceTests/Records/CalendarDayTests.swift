import ScreenService
import Testing

@Suite("Calendar days") struct CalendarDayTests {
    @Test(arguments: ["0001-01-01", "1999-12-31", "2000-02-29", "2018-07-12", "2024-02-29", "9999-12-31"])
    func aCalendarDayIsReadFromItsText(text: String) {
        #expect(CalendarDay(text)?.description == text)
    }

    @Test(arguments: [
        "", "2018-7-12", "2018-07-12 ", " 2018-07-12", "2018/07/12", "20180712", "2018-07-32", "2018-00-01",
        "2018-13-01", "2018-04-31", "2018-02-29", "1900-02-29", "0000-01-01", "+018-07-12", "-018-07-12",
        "2018-07-1２", "2018-07-12T00:00", "2018-W28-4", "٢٠١٨-07-12", "2018--7-12", "201a-07-12",
    ])
    func aTextThatIsNotACalendarDayIsRejected(text: String) {
        #expect(CalendarDay(text) == nil)
    }

    @Test func calendarDaysAreSortedInTheSameOrderAsTheirTexts() {
        let texts = ["2017-12-31", "2018-01-01", "2018-01-02", "2018-02-01", "2019-01-01"]
        #expect(texts.reversed().compactMap { CalendarDay($0) }.sorted().map(\.description) == texts)
    }

    @Test func advancingByOneDayReachesEveryDayOfFourCenturies() {
        var day = CalendarDay("1899-12-31")!
        for _ in 1...146_097 {
            let next = day.advanced(by: 1)!
            guard next > day, next.advanced(by: -1) == day else {
                Issue.record("\(day) is followed by \(next)")
                return
            }
            day = next
        }
        #expect(day.description == "2299-12-31")
    }

    @Test func advancingADayBeyondTheYears1To9999ReturnsNil() {
        #expect(CalendarDay("9999-12-31")!.advanced(by: 1) == nil)
        #expect(CalendarDay("0001-01-01")!.advanced(by: -1) == nil)
        #expect(CalendarDay("2018-07-12")!.advanced(by: .max) == nil)
        #expect(CalendarDay("2018-07-12")!.advanced(by: .min) == nil)
        #expect(CalendarDay("0001-01-01")!.advanced(by: 3_652_058)?.description == "9999-12-31")
    }
}
