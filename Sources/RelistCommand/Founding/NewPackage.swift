/// A package that serves one screen, as `Examples/Groceries` does, as texts.
struct NewPackage {
    let name: PackageName
    let dependency: Dependency

    /// Its files by their paths in its folder.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", manifest),
            ("Sources/\(name.text)/Server.swift", server),
            ("Sources/\(name.text)/Notes.swift", screen),
            ("Sources/\(name.text)/NoteStore.swift", store),
            ("Tests/\(name.text)Tests/NotesTests.swift", tests),
            ("Dockerfile", dockerfile),
            (".dockerignore", ".build/\n*.sqlite*\n"),
            ("README.md", readme),
            (".gitignore", ".build/\n*.sqlite*\n"),
        ]
    }

    /// What to do next.
    var farewell: String {
        """
        \(name.text) is there: one screen, its table and a test. Next:

          cd \(name.text)
          swift test
          swift run
        """
    }
}

// MARK: - What is built

extension NewPackage {
    private var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name.text)",
            platforms: [.macOS(.v14)],
            dependencies: [
                \(dependency.declaration),
                .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
            ],
            targets: [
                .executableTarget(
                    name: "\(name.text)",
                    dependencies: [.product(name: "Relist", package: \(dependency.identity.swiftLiteral)), .product(name: "GRDB", package: "GRDB.swift")]
                ),
                .testTarget(
                    name: "\(name.text)Tests", dependencies: ["\(name.text)", .product(name: "RelistTesting", package: \(dependency.identity.swiftLiteral))]
                ),
            ]
        )

        """
    }

    private var server: String {
        """
        import Relist

        @main struct Server {
            static func main() async throws {
                try await RelistServer(tables: [NoteStore.table]) { store, _ in
                    [Notes(notes: NoteStore(store: store))]
                }.run()
            }
        }

        """
    }

    private var screen: String {
        #"""
        import Relist

        /// All notes. Choosing one removes it.
        struct Notes: Screen {
            static let name = "notes"
            static let text = Field.text("text", limit: 200) { _ in "Text" }

            let visibility = Visibility.everyone
            let notes: NoteStore

            func title(in locale: ScreenLocale) -> String { "Notes" }

            func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, NoteCell>> {
                let texts = try await notes.texts()
                return ScreenContent(
                    title: title(in: request.locale),
                    model: TableViewModel { TableViewSection(id: "notes") { for text in texts { NoteCell(text: text) } } }
                )
            }

            var actions: [Action] {
                [
                    Action("add", "Adds a note.", Self.text) { _, text in try await notes.add(text) },
                    Action("remove", "Removes a note.", Self.text) { _, text in try await notes.remove(text) },
                ]
            }
        }

        struct NoteCell: CellContent, Selectable, Equatable {
            let text: String

            var id: String { text }
            var whenSelected: Selection { .action(ScreenAction("remove", input: ["text": .string(text)])) }

            static func fields(_ field: inout some FieldVisitor<Self>) {
                field("text", \.text)
            }
        }

        """#
    }

    private var store: String {
        """
        import GRDB
        import Relist

        /// The notes, in a table of the service's file. Reading them records a topic, changing them announces that topic.
        struct NoteStore: Sendable {
            static let table = SQLiteMigration("notes", "CREATE TABLE note (text TEXT NOT NULL PRIMARY KEY) STRICT;")
            private static let topic = Topic("notes")

            let store: SQLiteServiceStore

            /// In the order of the alphabet.
            func texts() async throws -> [String] {
                try await store.read { transaction in
                    try transaction.rows(of: Self.topic, "SELECT text FROM note ORDER BY text") { row in row[0] }
                }
            }

            func add(_ text: String) async throws {
                try await store.write { transaction in
                    _ = try transaction.write(
                        "INSERT INTO note (text) VALUES (?)", [text], announcing: [Self.topic],
                        ifTaken: BrokenRules([BrokenRule(field: "text", "There is such a note already.")])
                    )
                }
            }

            func remove(_ text: String) async throws {
                try await store.write { transaction in
                    let count = try transaction.write("DELETE FROM note WHERE text = ?", [text], announcing: [Self.topic])
                    guard count > 0 else { throw BrokenRules([BrokenRule(field: "text", "There is no such note.")]) }
                }
            }
        }

        """
    }

    private var tests: String {
        """
        import RelistTesting
        import Testing
        @testable import \(name.text)

        /// What the screen shows and does, without a server.
        struct NotesTests {
            private func withClient(_ body: (TestClient) async throws -> Void) async throws {
                try await withTemporaryStore(tables: [NoteStore.table]) { store in
                    try await body(TestClient(screens: [Notes(notes: NoteStore(store: store))], store: store))
                }
            }

            @Test func aNoteThatIsAddedComesIntoItsPlace() async throws {
                try await withClient { client in
                    let first = try await client.perform("add", ["text": "Water the roses"], on: client.screen("notes"))
                    let second = try await client.perform("add", ["text": "Buy seeds"], on: first.after)
                    #expect(second.inserted == ["Buy seeds"] && second.moved == [] && second.updated == [])
                    #expect(second.after.cells.map(\\.id) == ["Buy seeds", "Water the roses"])
                }
            }

            @Test func aNoteThatIsChosenGoes() async throws {
                try await withClient { client in
                    let added = try await client.perform("add", ["text": "Buy seeds"], on: client.screen("notes"))
                    #expect(try await client.perform("remove", ["text": "Buy seeds"], on: added.after).deleted == ["Buy seeds"])
                }
            }

            @Test func noNoteIsThereTwice() async throws {
                try await withClient { client in
                    let added = try await client.perform("add", ["text": "Buy seeds"], on: client.screen("notes"))
                    await #expect(throws: BrokenRules([BrokenRule(field: "text", "There is such a note already.")])) {
                        try await client.perform("add", ["text": "Buy seeds"], on: added.after)
                    }
                }
            }
        }

        """
    }
}
