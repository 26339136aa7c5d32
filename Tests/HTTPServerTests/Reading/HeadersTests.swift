import Testing

@testable import HTTPServer

@Suite struct HeadersTests {
    let headers: Headers = ["Accept": "a", "X-Empty": "", "accept": "b"]

    @Test func headerFieldNamesAreComparedWithoutRegardToCase() {
        #expect(headers["ACCEPT"] == "a")
        #expect(headers["x-empty"] == "")
        #expect(headers["Accep"] == nil)
        #expect(headers["Accept-"] == nil)
    }

    @Test func allValuesOfAFieldNameAreReturnedInOrder() {
        #expect(headers.values(of: "Accept") == ["a", "b"])
        #expect(headers.values(of: "Host").isEmpty)
    }

    @Test func severalFieldsWithTheSameNameAreReadAsOneList() {
        #expect(headers.list(of: "ACCEPT") == "a, b")
        #expect(headers.list(of: "x-empty") == "")
        #expect(headers.list(of: "Host") == nil)
    }

    @Test func fieldsAreIteratedInTheirOriginalOrderAndCase() {
        #expect(headers.map { "\($0.name)=\($0.value)" } == ["Accept=a", "X-Empty=", "accept=b"])
    }
}
