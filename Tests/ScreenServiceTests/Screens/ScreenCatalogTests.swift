import ScreenModel
import ScreenWire
import Testing

@testable import ScreenService

@Suite("The catalog of screens") struct ScreenCatalogTests {
    private let catalog = try! ScreenCatalog([Search(), Personal()], locales: [.english, .french])

    private func view(_ parameters: [(String, String)], of name: String = "search", user: String = "zoé") throws -> ScreenView {
        try catalog.view(of: name, parameters: parameters.map { (name: $0, value: $1) }, locale: .french, caller: .user(user))
    }

    private func faults(_ parameters: [(String, String)]) -> [ParameterFault] {
        do throws(ViewFault) {
            _ = try catalog.view(of: "search", parameters: parameters.map { (name: $0, value: $1) }, locale: .english, caller: .user("u"))
            return []
        } catch {
            guard case .parameters(let faults) = error else { return [] }
            return faults
        }
    }

    @Test func aCatalogReportsAllFaultsOfItsScreens() {
        let faults: [CatalogFaults.Fault] = [
            .repeatedName("search"), .invalidName("Not fit"), .invalidRevisions(screen: "Not fit", 0...1),
            .reservedParameter(screen: "Not fit", "version"), .repeatedParameter(screen: "Not fit", "q"),
            .reservedParameter(screen: "Not fit", "locale"), .reservedParameter(screen: "Not fit", "revision"), .invalidName(""),
        ]
        #expect(throws: CatalogFaults(faults: faults)) { try ScreenCatalog([Search(), Personal(), Search(), Unfit(), Nameless()]) }
        #expect(
            "\(CatalogFaults(faults: Array(faults.prefix(2))))" == #"""
                The screens cannot be served: two screens have the name "search"; the name "Not fit" of a screen must consist of lowercase letters, digits and hyphens.
                """#)
        #expect("\(faults[2])" == #"the revisions of "Not fit" must begin at 1 or later, not at 0"#)
        #expect(throws: Never.self) { try ScreenCatalog([]) }
    }

    @Test func theErrorForAnUnknownScreenContainsTheNamesOfTheKnownScreens() {
        #expect(catalog.names == ["search", "personal"])
        #expect(throws: ViewFault.unknownScreen("Search", known: ["search", "personal"])) { try view([], of: "Search") }
    }

    @Test func theAudienceOfAViewDependsOnTheVisibilityOfItsScreen() throws {
        #expect(try view([]).audience == .everyone)
        #expect(try view([], of: "personal").audience == .user("zoé"))
        #expect(try view([], user: "a") == view([], user: "b"))
        #expect(try view([], of: "personal", user: "a") != view([], of: "personal", user: "b"))
    }

    @Test func anAnonymousCallerIsRejectedOnlyByAScreenForUsers() throws {
        let ask = { try catalog.view(of: $0, parameters: [("limit", "0")], locale: .english, caller: .anonymous) }
        #expect(throws: ViewFault.needsUser(screen: "personal")) { try ask("personal") }
        #expect(throws: ViewFault.unknownScreen("none", known: ["search"])) { try ask("none") }
        #expect(try catalog.view(of: "search", parameters: [], locale: .english, caller: .anonymous).audience == .everyone)
    }

    @Test func aParameterRejectsTextsThatDoNotMatchItsType() {
        let (flag, day) = (Parameter.boolean("flag", "A flag."), Parameter<Int?>.date("day", "A day."))
        #expect((flag.type, flag.canonical("true"), flag.canonical("1")) == (.boolean, "true", nil))
        #expect(flag.defaultText == "false" && day.defaultText == nil)
        #expect((day.type, day.canonical("07"), day.canonical("x")) == (.date, "7", nil))
    }

    @Test func theDescriptionOfAValueTypeUsesTheSyntaxOfTheQueryOrOfJSON() {
        let shapes = { (type: ValueType) in [type.shape(in: .query), type.shape(in: .json)] }
        #expect(shapes(.choice(["a", "b"])) == ["one of a, b", #"one of "a", "b""#])
        #expect(shapes(.date) == ["a date such as 2018-07-12", #"a date such as "2018-07-12""#])
        #expect(shapes(.text(limit: 3)) == ["a text of at most 3 characters", "a text of at most 3 characters, none of them U+0000"])
        #expect(shapes(.text(limit: 7, shape: "a colour")) == ["a colour", "a colour"])
        #expect(shapes(.boolean) == ["true or false", "true or false"])
    }

    @Test func requestsWithEqualValuesOfParametersShareAView() throws {
        let plain = try view([("limit", "7"), ("q", "a")])
        #expect(try view([("q", "a"), ("limit", "7")]) == plain)
        #expect(try view([("limit", "007"), ("q", "a")]) == plain)
        #expect(try view([("limit", "+7"), ("q", "a")]) == plain)
        #expect(try view([("limit", "7"), ("q", "a"), ("sort", "name")]) == plain)
        #expect(try view([("limit", "7"), ("q", "b")]) != plain)
        #expect(plain.parameters == [.init(name: "limit", value: "7"), .init(name: "q", value: "a")])
    }

    @Test func parametersWithTheirDefaultValueAreNotPartOfTheView() throws {
        #expect(try view([("limit", "3"), ("q", ""), ("sort", "name")]) == view([]))
        #expect(try view([("limit", "03")]) == view([]))
        #expect(try view([("sort", "height")]).parameters == [.init(name: "sort", value: "height")])
        #expect(try view([("day", "")], of: "personal").parameters == [.init(name: "day", value: "")])
    }

    @Test func allFaultsInTheParametersOfARequestAreReported() {
        let known = ["q", "limit", "sort"]
        #expect(
            faults([
                ("limit", "0"), ("Q", ""), ("sort", "size"), ("q", "ok"), ("q", "ok"), ("limit", "7"),
                ("q", String(repeating: "é", count: 11)),
            ]) == [
                ParameterFault(name: "limit", cause: .malformed(.integer(1...100))),
                ParameterFault(name: "Q", cause: .unknown(known: known)),
                ParameterFault(name: "sort", cause: .malformed(.choice(["name", "height"]))), ParameterFault(name: "q", cause: .repeated),
                ParameterFault(name: "limit", cause: .repeated), ParameterFault(name: "q", cause: .repeated),
            ]
        )
    }

    @Test(arguments: ["", " 7", "7 ", "0", "101", "-1", "7.0", "1e1", "seven", "99999999999999999999", "٧"])
    func aTextThatIsNotAnIntegerWithinTheBoundsIsRejected(text: String) {
        #expect(faults([("limit", text)]).map(\.cause) == [.malformed(.integer(1...100))])
    }

    /// Unicode scalars are counted because JSON Schema counts them. A limit on characters would not limit the size, because one character
    /// can have a million scalars.
    @Test func theLengthOfATextIsCountedInUnicodeScalars() {
        #expect(faults([("q", String(repeating: "é", count: 10))]).isEmpty)
        let combined = { "e" + String(repeating: "\u{301}", count: $0) }
        #expect(faults([("q", combined(9))]).isEmpty)
        #expect(faults([("q", combined(10))]).map(\.cause) == [.malformed(.text(limit: 10))])
        let field = Field.text("text", "Text", limit: 10)
        #expect(throws: Never.self) { try field.value(in: .object([.init("text", .string(combined(9)))])) }
        #expect(throws: InputFault(field: "text", cause: .malformed(.text(limit: 10)))) {
            try field.value(in: .object([.init("text", .string(combined(10)))]))
        }
    }

    @Test func aScreenRequestContainsItsParametersAndItsUserIfTheScreenIsPersonal() throws {
        let request = ScreenRequest(view: try view([("q", "é"), ("sort", "height")]))
        #expect(throws: AudienceMismatch.self) { try request.user }
        #expect(request.locale == .french)
        #expect(request[Search.q] == "é")
        #expect(request[Search.limit] == 3)
        #expect(request[Search.sort] == .height)
        let personal = ScreenRequest(view: try view([], of: "personal"))
        #expect(try personal.user == "zoé")
    }

    @Test func theListOfScreensIsInTheRequestedLanguage() {
        let search =
            #"{"name":"search","title":"en search","revisions":{"oldest":1,"newest":1},"parameters":[{"name":"q","description":"Part of a name.","type":"text","shape":"a text of at most 10 characters","limit":10,"default":""},"#
            + #"{"name":"limit","description":"How many.","type":"integer","shape":"a whole number from 1 to 100","minimum":1,"maximum":100,"default":"3"},"#
            + #"{"name":"sort","description":"In which order.","type":"choice","shape":"one of name, height","choices":["name","height"],"default":"name"}],"actions":[]}"#
        let personal =
            #"{"name":"personal","title":"Personal","revisions":{"oldest":2,"newest":4},"parameters":[{"name":"day","description":"Which day.","type":"text","shape":"any text","limit":100}],"actions":[]}"#
        #expect(
            String(decoding: catalog.document(in: .english), as: UTF8.self)
                == #"{"screens":[\#(search),\#(personal)],"locales":["en","fr"]}"#)
        #expect(String(decoding: catalog.document(in: .french), as: UTF8.self).contains(#""title":"fr search""#))
    }

    @Test func aRequestWithoutARevisionReceivesTheViewOfTheOldestRevision() throws {
        let view = { try catalog.view(of: $0, parameters: [], revision: $1, locale: .english, caller: .user("u")) }
        #expect(try view("personal", nil).revision == 2)
        #expect(try view("personal", "2") == view("personal", nil) && view("personal", "02") == view("personal", nil))
        #expect(try view("personal", "4").revision == 4 && view("personal", "4") != view("personal", nil))
        #expect(try view("search", "1") == view("search", nil))
        #expect(ScreenRequest(view: try view("personal", "3")).revision == 3)
    }

    @Test(arguments: ["", "1", "5", "-2", "2.0", "two", " 2", "99999999999999999999", "٣"])
    func theErrorForAnUnknownRevisionContainsTheRevisionsThatAreServed(text: String) {
        let fault = ParameterFault(name: "revision", cause: .unservedRevision(served: 2...4))
        #expect(throws: ViewFault.parameters([fault])) {
            try catalog.view(of: "personal", parameters: [], revision: text, locale: .english, caller: .user("u"))
        }
        #expect(throws: ViewFault.parameters([fault, ParameterFault(name: "q", cause: .unknown(known: ["day"]))])) {
            try catalog.view(of: "personal", parameters: [("q", "")], revision: text, locale: .english, caller: .user("u"))
        }
    }

    @Test func aLanguageTagMatchesALocaleByItsPrimaryLanguage() {
        for tag in ["fr", "fr-CH", "FR-fr", "fr_CA"] { #expect(ScreenLocale.french.matches(tag)) }
        for tag in ["", "de", "f", "fra", "-fr", "*", "en"] { #expect(!ScreenLocale.french.matches(tag)) }
    }

    @Test func aCatalogWithoutLocalesOrWithARepeatedLanguageIsRejected() {
        let german = [ScreenLocale(language: "de", region: "DE"), ScreenLocale(language: "DE", region: "AT")]
        #expect(throws: CatalogFaults(faults: [.repeatedLanguage("de")])) { try ScreenCatalog([], locales: german) }
        #expect(throws: CatalogFaults(faults: [.noLocale])) { try ScreenCatalog([], locales: []) }
    }
}

private typealias Table = TableViewModel<Label, Row>

private struct Search: Screen {
    enum Sort: String, CaseIterable, Sendable { case name, height }

    static let name = "search"
    static let q = Parameter<String>.text("q", limit: 10, "Part of a name.")
    static let limit = Parameter<Int>.integer("limit", in: 1...100, default: 3, "How many.")
    static let sort = Parameter<Sort>.choice("sort", default: .name, "In which order.")
    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = [q, limit, sort]

    let title = Text("en search", fr: "fr search")
    func content(for request: ScreenRequest) async throws -> ScreenContent<Table> { ScreenContent(title: "", model: Table()) }
}

private struct Personal: Screen {
    static let name = "personal"
    static let revisions = 2...4
    static let day = Parameter<String?>(
        "day", .text(limit: 100, shape: "any text"), "Which day.", default: nil, defaultText: nil, parse: { .some($0) },
        format: { $0 ?? "" })
    let visibility = Visibility.user
    let parameters: [any ParameterDeclaring] = [day]

    let title: Text = "Personal"
    func content(for request: ScreenRequest) async throws -> ScreenContent<Table> { ScreenContent(title: "", model: Table()) }
}

private struct Unfit: Screen {
    static let name = "Not fit"
    static let revisions = 0...1
    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = ["q", "version", "q", "locale", "revision"].map { Parameter<String>.text($0, "") }

    let title: Text = ""
    func content(for request: ScreenRequest) async throws -> ScreenContent<Table> { ScreenContent(title: "", model: Table()) }
}

private struct Nameless: Screen {
    static let name = ""
    let visibility = Visibility.everyone

    let title: Text = ""
    func content(for request: ScreenRequest) async throws -> ScreenContent<Table> { ScreenContent(title: "", model: Table()) }
}
