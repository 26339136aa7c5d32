import Foundation
import ScreenWire
import Testing

@Suite("Lists of screens") struct CatalogDocumentTests {
    private func catalog() throws -> CatalogDocument {
        let file = URL(fileURLWithPath: #filePath).appending(path: "../../../Fixtures/Wire/screens.json").standardized
        return try CatalogDocument(JSONReader.read(Array(Data(contentsOf: file))))
    }

    @Test func theListOfScreensOfAServerIsRead() throws {
        let catalog = try catalog()
        #expect(catalog.screens.map(\.name) == ["settings", "deliveries", "posts", "mountains", "artist", "wifi"])
        #expect(catalog.locales == ["en", "fr"])
        let settings = catalog.screens[0]
        #expect((settings.title, settings.revisions.oldest, settings.revisions.newest) == ("Settings", 1, 1))
        let layout = settings.parameters[0]
        #expect((layout.name, layout.title, layout.type.name, layout.defaultValue) == ("layout", "Layout", "choice", "separate"))
        #expect(layout.type.choices == ["separate", "merged"] && layout.titles == ["Separate", "Merged"])
        #expect(settings.actions.map(\.name).prefix(2) == ["rename", "changeEmail"])
        let email = try #require(settings.actions[1].input.first)
        #expect((email.name, email.title, email.isRequired, email.source) == ("email", "Email", true, "user"))
        #expect((email.type.name, email.type.limit, email.type.format) == ("text", 254, "email"))
        #expect(catalog.screens.flatMap(\.parameters).contains { $0.type.minimum != nil && $0.type.maximum != nil })
    }

    @Test func theTitlesOfTheChoicesOfAFieldAreRead() throws {
        let text =
            #"{"name":"diet","title":"Diet","type":"choice","shape":"one of any, vegan","choices":["any","vegan"],"#
            + #""titles":["Any","Vegan"],"required":true,"source":"user"}"#
        let field: CatalogDocument.Field = try JSONReader.read(Array(text.utf8)).decode()
        #expect(field.type.choices == ["any", "vegan"] && field.titles == ["Any", "Vegan"])
    }

    @Test func unknownMembersOfAListOfScreensAreIgnored() throws {
        let text =
            #"{"later":1,"locales":["en"],"screens":[{"name":"a","title":"A","revisions":{"oldest":1,"newest":2,"x":3},"#
            + #""parameters":[],"actions":[{"name":"b","description":"B","input":[],"icon":"x"}],"tint":"red"}]}"#
        let screen = try CatalogDocument(JSONReader.read(Array(text.utf8))).screens[0]
        #expect(screen.revisions.newest == 2 && screen.actions[0].title == nil)
    }

    @Test func theErrorForAnInvalidListOfScreensContainsThePlaceOfTheFault() throws {
        let text = #"{"locales":[],"screens":[{"name":"a"}]}"#
        let error = try #require(throws: DecodingError.self) { try CatalogDocument(JSONReader.read(Array(text.utf8))) }
        guard case .keyNotFound(let key, let context) = error else { throw error }
        #expect(key.stringValue == "title" && context.codingPath.map(\.stringValue) == ["screens", "Index 0"])
    }
}
