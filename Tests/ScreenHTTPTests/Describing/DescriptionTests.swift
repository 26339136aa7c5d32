import HTTPServer
import RawClient
import ScreenModel
import ScreenService
import ScreenWire
import Testing

@testable import ScreenHTTP

@Suite struct DescriptionTests {
    private func description() async throws -> JSONValue {
        try await Transport.memory.serve().get("/openapi.json").json
    }

    @Test func theOpenAPIDocumentContainsEachOperationOfEachScreenAndAction() async throws {
        let site = try await Transport.memory.serve()
        let paths = try #require(try await site.get("/openapi.json").json["paths"])
        for route in site.api.routes.routes {
            let template = route.path.template
            // Only the screen `notes` has an action and a source.
            let screens = template.contains("{action}") || template.contains("source") ? ["notes"] : ["notes", "news"]
            for screen in screens {
                let place = template.replacing("{screen}", with: screen).replacing("{action}", with: "add")
                #expect(paths[place]?.names == route.operations.map { $0.method == .get ? "get" : "post" }, "\(place)")
            }
        }
    }

    @Test func theOpenAPIDocumentContainsTheSourceOfAScreenOnlyIfThereIsOne() async throws {
        let paths = try #require(try await description()["paths"])
        #expect(paths.names.filter { $0.hasSuffix("/source") } == ["/screens/notes/source"])
    }

    @Test func eachTypeOfProblemHasASchemaInTheOpenAPIDocument() async throws {
        let schemas = try #require(try await description()["components"]?["schemas"])
        for kind in Problem.Kind.allCases {
            let properties = schemas[kind.schemaName]?["properties"]
            #expect(properties?["type"]?["const"] == .string("urn:relist:problem:\(kind.rawValue)"))
            #expect(properties?["status"]?["const"] == .number("\(kind.status)"))
            #expect(schemas[kind.schemaName]?["additionalProperties"] == .bool(false))
            #expect(properties?["outcome"]?["enum"] == .array(["performed", "not-performed", "unknown"].map { .string($0) }))
        }
    }

    @Test func theSchemaOfEachProblemOfAnActionRequiresAnOutcome() async throws {
        let document = try await description()
        let responses = try #require(document["paths"]?["/screens/notes/actions/add"]?["post"]?["responses"])
        var count = 0
        for status in responses.names {
            let name = responses[status]?["$ref"]?.text?.split(separator: "/").last.map(String.init)
            let response = name.flatMap { document["components"]?["responses"]?[$0] }
            guard let schema = response?["content"]?["application/problem+json"]?["schema"] else { continue }
            #expect(schema["allOf"]?.elements.last?["required"] == .array([.string("outcome")]), "\(status)")
            count += 1
        }
        #expect(count > 8)
    }

    @Test func theOpenAPIDocumentContainsParametersAndHeaderFieldsAndTheInputsOfActions() async throws {
        let site = try await Transport.memory.serve()
        let document = try await site.get("/openapi.json").json
        let changes = document["paths"]?["/screens/notes/changes"]?["get"]?["parameters"]
        let ofProtocol = ProtocolParameter.allCases.map(\.rawValue)
        #expect(
            changes?.elements.compactMap { $0["name"]?.text }
                == ["list", "limit", "order"] + ofProtocol + [
                    "Accept-Language", "Accept-Encoding", "Prefer", "Last-Event-ID", "Relist-Position",
                ])
        let input = document["components"]?["schemas"]?["NotesAddInput"]
        #expect(input?["required"] == .array([.string("te/xt")]))
        #expect(input?["additionalProperties"] == .bool(false))
    }

    @Test func theSchemaOfACellHasExactlyTheDeclaredMembers() async throws {
        let schemas = try #require(try await description()["components"]?["schemas"])
        let cell = schemas["NotesNoteCell"]
        #expect(cell?["properties"]?.names == ["id", "type", "text", "isFirst", "size", "action", "actions", "link", "fallback"])
        #expect(cell?["required"] == .array(["id", "type", "text"].map { .string($0) }))
        #expect(cell?["additionalProperties"] == .bool(false))
        // The screen `news` has no headers and no actions.
        #expect(schemas["NewsSection"]?["properties"]?.names == ["id", "cells"])
        #expect(schemas["NewsNoteCell"]?["properties"]?.names == ["id", "type", "text", "isFirst", "size", "link", "fallback"])
    }

    @Test(arguments: [false, true]) func screensWhoseNamesDifferOnlyByAHyphenHaveSeparateSchemas(isReversed: Bool) throws {
        let screens: [any Screen] = [Hyphenated(), Plain()]
        let catalog = try ScreenCatalog(isReversed ? screens.reversed() : screens)
        let description = Description(of: [], catalog, catalog.offering(to: .anonymous), takesTokens: false)
        let schemas = try #require(try JSONReader.read(description.bytes)["components"]?["schemas"])
        let described = schemas.names.filter { $0.hasSuffix("Snapshot") }.compactMap {
            schemas[$0]?["properties"]?["screen"]?["const"]?.text
        }
        #expect(described.sorted() == ["a-1", "a1"])
    }

    @Test func allReferencesInTheOpenAPIDocumentResolve() async throws {
        let document = try await description()
        let references = document.references
        #expect(references.count > 50)
        for reference in Set(references) {
            let found = reference.split(separator: "/").dropFirst().reduce(document as JSONValue?) { $0?[String($1)] }
            #expect(found != nil, "\(reference)")
        }
    }

    @Test func theSchemaOfACellWithoutDeclaredMembersAllowsAnyMembers() throws {
        let catalog = try ScreenCatalog([Mixed(), Listed()], locales: [.english])
        let document = try JSONReader.read(Description(of: [], catalog, catalog.offering(to: .anonymous), takesTokens: false).bytes)
        let schemas = document["components"]?["schemas"]
        #expect(schemas?["MixedCell"]?["additionalProperties"] == nil)
        #expect(document["info"]?["description"]?.text?.contains("not declared: mixed.") == true)
        #expect(schemas?["ListedNoteCell"]?["additionalProperties"] == .bool(false))
    }

    @Test func theSchemaOfADateHasAnInstantAndAStyle() {
        var components = Components()
        let reference = components.schema(of: [LiveDate?].self)
        #expect(reference == .list(.orNull(.reference("LiveDate"))))
        let date: Schema = .object(
            [
                SchemaMember("$date", ["type": "string", "format": "date-time"]), SchemaMember("style?", .choice(["relative", "timer"])),
            ])
        #expect(components.schemas.map(\.0) == ["LiveDate"] && components.schemas.map(\.1) == [date])
    }

    @Test(arguments: Transport.allCases)
    func theOpenAPIDocumentHasAnEntityTag(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.get("/openapi.json")
        let tag = try #require(answer.headers["ETag"])
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(try await site.get("/openapi.json", ["If-None-Match": tag]).status == 304)
        #expect(try await site.get("/openapi.json").body == answer.body)
        try await site.get("/openapi.json", ["Accept": "text/html"]).expectProblem("not-acceptable", 406)
    }
}

/// A screen that does not declare the types of its cells.
private struct Mixed: Screen {
    static let name = "mixed"
    let visibility = Visibility.everyone

    let title: Text = "Mixed"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, AnyCell>> {
        ScreenContent(title: "Mixed", model: TableViewModel(sections: []))
    }
}

/// A screen that declares the types of its cells in a list.
private struct Listed: Screen {
    static let name = "listed"
    static var cellTypes: [any ViewContent.Type]? { [NoteCell.self] }
    let visibility = Visibility.everyone

    let title: Text = "Listed"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, AnyCell>> {
        ScreenContent(title: "Listed", model: TableViewModel(sections: []))
    }
}

extension JSONValue {
    fileprivate var names: [String] {
        if case .object(let members) = self { members.map(\.name) } else { [] }
    }

    /// All references in the JSON value, including those in the mappings of discriminators.
    fileprivate var references: [String] {
        switch self {
        case .string(let text) where text.hasPrefix("#/components/"): [text]
        case .object(let members): members.flatMap(\.value.references)
        case .array(let elements): elements.flatMap(\.references)
        default: []
        }
    }
}

private struct Hyphenated: Screen {
    static let name = "a-1"
    let visibility = Visibility.everyone

    let title: Text = "One"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        ScreenContent(title: "One", model: TableViewModel(sections: []))
    }
}

private struct Plain: Screen {
    static let name = "a1"
    let visibility = Visibility.everyone

    let title: Text = "Other"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        ScreenContent(title: "Other", model: TableViewModel(sections: []))
    }
}
