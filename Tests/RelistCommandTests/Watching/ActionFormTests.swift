import ScreenModel
import ScreenWire
import Testing

@testable import RelistCommand

@Suite("The form of an action in relist watch") struct ActionFormTests {
    static func catalog() throws -> CatalogDocument {
        try CatalogDocument(
            JSONReader.read(
                Array(
                    #"""
                    {"screens":[{"name":"x","title":"X","description":"","revisions":{"oldest":1,"newest":1},"parameters":[],"actions":[
                     {"name":"weigh","title":"Weigh","description":"","input":[
                      {"name":"id","title":"Id","type":"text","shape":"","source":"cell","required":true},
                      {"name":"day","title":"Day","type":"date","shape":"a date such as 2018-07-01","source":"user","required":true},
                      {"name":"kilograms","title":"Kilograms","type":"integer","shape":"a whole number","source":"user","required":true},
                      {"name":"note","title":"Note","type":"text","shape":"a text","source":"user","required":false}]},
                     {"name":"lock","title":"Lock","description":"","input":[
                      {"name":"isLocked","title":"Locked","type":"boolean","shape":"true or false","source":"user","required":true}]},
                     {"name":"join","title":"Join","description":"","input":[
                      {"name":"identity","title":"Identity","type":"text","shape":"a text","source":"user","required":false},
                      {"name":"password","title":"Password","type":"text","shape":"a text","format":"password","source":"user",
                       "required":false}]},
                     {"name":"void","title":"Void","description":"","input":[
                      {"name":"reason","title":"Reason","type":"choice","shape":"one of \"soldOut\", \"1\"","choices":["soldOut","1"],
                       "titles":["Sold out","Other"],"source":"user","required":true}]},
                     {"name":"pay","title":"Pay","description":"","input":[
                      {"name":"amount","title":"Amount","type":"choice","shape":"","choices":["10","20","1"],"source":"user",
                       "required":true}]},
                     {"name":"wipe","title":"Wipe","description":"","input":[]}]}],"locales":["en"]}
                    """#.utf8)))
    }

    static func form(_ name: String, _ input: OrderedFields<JSONValue> = [:]) throws -> ActionForm {
        try #require(catalog().form(of: ChosenAction(name: name, cell: "1", input: input), on: "x"))
    }

    @Test func eachFieldInitiallyHasTheValueFromTheInputOfTheCell() throws {
        var form = try Self.form("weigh", ["id": "7", "day": "2018-07-01", "kilograms": .number("10")])
        #expect(form.field?.name == "day" && form.text == "2018-07-01")
        form.enter(form.text)
        #expect(form.field?.name == "kilograms" && form.text == "10")
        form.enter("11")
        #expect(form.field?.name == "note" && form.text == "")
        form.enter("")
        #expect(form.field == nil)
        #expect(form.input == ["id": "7", "day": "2018-07-01", "kilograms": .number("11")])
    }

    @Test(arguments: [("soldOut", "soldOut"), ("Sold out", "soldOut"), ("1", "soldOut"), ("2", "1"), ("Other", "1")])
    func aChoiceIsTypedAsItsNumberItsTitleOrItsValue(typed: String, value: String) throws {
        var form = try Self.form("void", ["reason": "soldOut"])
        #expect(form.prompt == "Reason (1 Sold out  2 Other)" && form.text == "Sold out" && form.accepts(typed))
        form.enter(typed)
        #expect(form.input == ["reason": .string(value)])
    }

    @Test func choicesThatAreNumbersHaveNoNumbers() throws {
        var form = try Self.form("pay")
        #expect(form.prompt == "Amount (10  20  1)" && !form.accepts("2"))
        form.enter("1")
        #expect(form.input == ["amount": "1"])
    }

    @Test func anEmptyOptionalFieldIsLeftOut() throws {
        var form = try Self.form("weigh", ["note": "old"])
        form.enter("2018-07-02")
        form.enter("5")
        #expect(form.text == "old")
        form.enter("")
        #expect(form.input == ["day": "2018-07-02", "kilograms": .number("5")])
    }

    @Test func aFormWithoutRequiredFieldsAsksOnlyForTheFieldsThatTheCellHasAValueFor() throws {
        #expect(try Self.form("join").field == nil)
        var form = try Self.form("join", ["password": ""])
        #expect(form.field?.name == "password")
        form.enter("secret")
        #expect(form.field == nil)
    }

    @Test func anUnchangedValueKeepsItsType() throws {
        var form = try Self.form("weigh", ["day": "2018-07-01", "kilograms": "ten"])
        form.enter(form.text)
        form.enter(form.text)
        #expect(form.input["kilograms"] == "ten")
    }

    private static let answers: [(String, JSONValue)] = [
        ("yes", .bool(true)), ("Y", .bool(true)), ("no", .bool(false)), ("0", .bool(false)), ("ye", "ye"), ("oui", "oui"), ("", ""),
    ]

    @Test(arguments: answers) func aTextThatIsNeitherYesNorNoIsSentAsText(text: String, value: JSONValue) throws {
        var form = try Self.form("lock")
        form.enter(text)
        #expect(form.input == ["isLocked": value])
    }

    @Test func anActionThatTheListOfScreensDoesNotDescribeHasNoForm() throws {
        let catalog = try Self.catalog()
        #expect(catalog.form(of: ChosenAction(name: "other", cell: "1", input: [:]), on: "x") == nil)
        #expect(catalog.form(of: ChosenAction(name: "wipe", cell: "1", input: [:]), on: "y") == nil)
    }
}
