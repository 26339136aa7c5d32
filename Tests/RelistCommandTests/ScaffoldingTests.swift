import Foundation
import TemporaryDatabase
import Testing

@testable import RelistCommand

@Suite("relist new") struct ScaffoldingTests {
    private static let repository = FileManager.default.currentDirectoryPath

    private func new(_ arguments: String..., in folder: String) async throws -> Program.End {
        try await Program.relist(["new"] + arguments, in: folder).end()
    }

    private func expect(
        _ end: Program.End, refuses line: String, status: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(end.output == "", sourceLocation: sourceLocation)
        #expect(end.errors == "relist: \(line)\n", sourceLocation: sourceLocation)
        #expect(end.status == status, sourceLocation: sourceLocation)
    }

    @Test func creatingAPackageCreatesAllItsFilesAndNothingElse() async throws {
        let folder = try TemporaryFolder()
        let end = try await new("Garden", in: folder.path)
        #expect(end.status == 0 && end.errors == "")
        #expect(end.output.contains("  cd Garden\n  swift test\n  swift run\n"))
        #expect(try folder.files == ["Garden"])
        let files = try #require(FileManager.default.enumerator(atPath: folder.path + "/Garden")).compactMap { $0 as? String }
        #expect(
            files.filter { !$0.hasSuffix("Garden") && !$0.hasSuffix("Tests") && $0 != "Sources" }.sorted() == [
                ".dockerignore", ".gitignore", "Dockerfile", "Package.swift", "README.md", "Sources/Garden/NoteStore.swift",
                "Sources/Garden/Notes.swift", "Sources/Garden/Server.swift", "Tests/GardenTests/NotesTests.swift",
            ])
        let manifest = try String(contentsOfFile: folder.path + "/Garden/Package.swift", encoding: .utf8)
        // The dependency is the checkout from which this program was built.
        #expect(manifest.contains(".package(name: \"relist\", path: \"\(Self.repository)\"),"))
        #expect(!manifest.contains("url: \"https://github.com/relist"))
    }

    @Test func aNewPackageHasItsOwnNameInAllFiles() throws {
        let package = NewPackage(name: try PackageName("Meadow"), dependency: .repository(url: "https://example.org/lists/fork"))
        for (path, text) in package.files {
            #expect(!path.contains("Garden") && !text.contains(#/[Gg]arden|"\/relist|--from=relist/#), "\(path)")
        }
        #expect(try package.text(of: "README.md").contains("docker build -t meadow ."))
        // The name of the new package is not changed even if it contains the name of the template, as Rosegarden contains Garden.
        let alike = NewPackage(name: try PackageName("Rosegarden"), dependency: package.dependency)
        #expect(try alike.text(of: "Dockerfile").contains(#"ENTRYPOINT ["Rosegarden"]"#))
        #expect(try alike.text(of: "README.md").contains("-v rosegarden:/data rosegarden\n"))
    }

    @Test func theErrorAsksForAFolderOrURLIfTheRelistPackageIsNotFound() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/Sources/RelistCommand/Scaffolding/Dependency.swift"
        #expect(throws: ScaffoldingFault.unknownSource) { try Dependency.checkout(of: file, for: PackageName("Garden")) }
        // The manifest of another package replaces the manifest of Relist.
        try Data("let package = Package(name: \"other\", targets: [])".utf8).write(to: URL(filePath: folder.path + "/Package.swift"))
        #expect(throws: ScaffoldingFault.unknownSource) { try Dependency.checkout(of: file, for: PackageName("Garden")) }
        #expect(
            ScaffoldingFault.unknownSource.lines == [
                "the package relist was not found: give a folder or the URL of a Git repository after --relist"
            ])
    }

    @Test(arguments: [
        ("https://example.org/lists/relist", "relist"), ("https://example.org/lists/Relist-Fork.git", "Relist-Fork"),
        ("ssh://git@example.org/relist.git/", "relist"), ("git@example.org:lists/relist.git", "relist"),
        ("file:///srv/relist.git", "relist"),
    ])
    func aDependencyGivenByAURLUsesTheMainBranch(url: String, identity: String) async throws {
        let folder = try TemporaryFolder()
        let end = try await new("Garden", "--relist", url, in: folder.path)
        #expect(end.status == 0 && end.errors == "")
        let manifest = try String(contentsOfFile: folder.path + "/Garden/Package.swift", encoding: .utf8)
        #expect(manifest.contains(".package(url: \"\(url)\", branch: \"main\"),"))
        #expect(manifest.contains(".product(name: \"Relist\", package: \"\(identity)\")"))
        #expect(manifest.contains(".product(name: \"RelistTesting\", package: \"\(identity)\")"))
        let dockerfile = try String(contentsOfFile: folder.path + "/Garden/Dockerfile", encoding: .utf8)
        #expect(!dockerfile.contains("--from=relist"))
    }

    @Test(arguments: [
        "https://", "https://example.org", "https://example.org/", "git@example.org:", "https://example.org/.git",
        "ftp://example.org/relist",
    ])
    func aURLThatNamesNoRepositoryIsRejectedAsADependency(url: String) async throws {
        let folder = try TemporaryFolder()
        expect(
            try await new("Garden", "--relist", url, in: folder.path),
            refuses:
                "\"\(url)\" is neither a folder with the package relist nor the URL of a Git repository; give one of them after --relist",
            status: 66
        )
        #expect(try folder.files == [])
    }

    /// The health check must not request `/readyz`. Otherwise a supervisor would restart every replica while the database is unavailable.
    @Test func theHealthCheckOfAContainerRequestsHealthz() throws {
        let own = try String(contentsOfFile: Self.repository + "/Dockerfile", encoding: .utf8)
        let written = try NewPackage(name: PackageName("Garden"), dependency: .local("/relist")).text(of: "Dockerfile")
        for dockerfile in [own, written] {
            #expect(dockerfile.contains(#"CMD curl -fsS "http://127.0.0.1:${RELIST_PORT}/healthz""#))
            #expect(!dockerfile.contains("readyz"))
        }
    }

    @Test(arguments: ["", "a/b", "../Garden", "my-garden", "1Garden", "_Garden", "Gärten", "Gar den", "Garden\n", "."])
    func anInvalidPackageNameIsRejected(name: String) async throws {
        let folder = try TemporaryFolder()
        let end = try await new("--", name, in: folder.path)
        let reason = "is not a valid package name; use a letter, then letters, digits and _, such as Garden"
        #expect(end.errors.hasPrefix("relist: \"") && end.errors.hasSuffix("\" \(reason)\n"))
        #expect(end.errors.count { $0 == "\n" } == 1)
        #expect(end.status == 64 && end.output == "")
        #expect(try folder.files == [])
    }

    @Test func keywordsAndModuleNamesAreRejectedAsPackageNames() throws {
        #expect(throws: ScaffoldingFault.name("class", .keyword)) { try PackageName("class") }
        #expect(throws: ScaffoldingFault.name("main", .keyword)) { try PackageName("main") }
        for name in ["Relist", "relist", "Swift", "ScreenModel", "GRDB", "Foundation", "logging"] {
            #expect(throws: ScaffoldingFault.name(name, .module)) { try PackageName(name) }
        }
        #expect(throws: ScaffoldingFault.name(String(repeating: "a", count: 51), .tooLong)) {
            try PackageName(String(repeating: "a", count: 51))
        }
        #expect(try PackageName(String(repeating: "a", count: 50)).text.count == 50)
    }

    @Test func theNamesOfAllTargetsOfRelistAreRejectedAsPackageNames() throws {
        let manifest = try String(contentsOfFile: Self.repository + "/Package.swift", encoding: .utf8)
        let targets = manifest.matches(of: #/\.(?:target|executableTarget|systemLibrary|library)\(\s*name: "(\w+)"/#).map { String($0.1) }
        #expect(targets.count > 20)
        let shared = [
            "SeededRandom", "DocumentTexts", "TemporaryDatabase", "TemporaryPostgres", "RawClient", "RawServer", "LogLines",
            "MemoryTransport", "FaultyTransport", "TestModels", "CBrotliDecoder", "ContentDecoding",
        ]
        for name in targets where !shared.contains(name) {
            #expect(throws: ScaffoldingFault.name(name, .module)) { try PackageName(name) }
        }
    }

    @Test func creatingAPackageDoesNotChangeAnExistingFileOrFolder() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/Garden", withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(filePath: folder.path + "/Meadow"))
        for name in ["Garden", "Meadow"] {
            expect(try await new(name, in: folder.path), refuses: "\"\(name)\" already exists; use another name, or remove it", status: 73)
        }
        #expect(try folder.files == ["Garden", "Meadow"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Garden") == [])
        #expect(try String(contentsOfFile: folder.path + "/Meadow", encoding: .utf8) == "mine")
    }

    @Test func aFolderThatCannotBeWrittenIsReported() async throws {
        let end = try await new("Garden", in: "/proc/self")
        #expect(end.errors.hasPrefix("relist: \"Garden\" cannot be written: ") && end.errors.count { $0 == "\n" } == 1)
        #expect(end.status == 73 && end.output == "")
    }

    @Test func aPackageThatCannotBeWrittenCompletelyIsRemoved() throws {
        let folder = try TemporaryFolder()
        // `Sources/two` cannot be both a file and a folder, so writing fails.
        let files = [("Sources/one", "1"), ("Sources/two", "2"), ("Sources/one/three", "3"), ("four", "4")].map { (path: $0.0, text: $0.1) }
        #expect(throws: ScaffoldingFault.unwritable("Garden", ENOTDIR)) { try NewFolder.write(files, as: "Garden", in: folder.path) }
        #expect(try folder.files == [])
    }

    @Test func aFolderWithoutThePackageRelistIsRejectedAsADependency() async throws {
        let folder = try TemporaryFolder()
        try Data("let package = Package(name: \"other\", targets: [])".utf8).write(to: URL(filePath: folder.path + "/Package.swift"))
        for path in [".", "", "nowhere", "Package.swift", Self.repository + "/Sources", Self.repository + "/Examples/Groceries"] {
            expect(
                try await new("Garden", "--relist", path, in: folder.path),
                refuses:
                    "\"\(path)\" is neither a folder with the package relist nor the URL of a Git repository; give one of them after --relist",
                status: 66
            )
        }
        #expect(try folder.files == ["Package.swift"])
    }

    @Test func aDependencyWithTheNameOfTheNewPackageIsRejected() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/garden", withIntermediateDirectories: false)
        try Data("let package = Package(\n    name: \"relist\",".utf8).write(to: URL(filePath: folder.path + "/garden/Package.swift"))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "garden")
        expect(
            try await new("Garden", "--relist", "link", in: folder.path),
            refuses: "\"link\" has the name of the new package, and SwiftPM does not allow both; use another name", status: 64
        )
    }

    @Test func anUnknownFlagIsRejected() async throws {
        let folder = try TemporaryFolder()
        let end = try await new("Garden", "--colour", "red", in: folder.path)
        #expect(end.status == 64 && end.output == "")
        #expect(end.errors == "relist: Unknown option '--colour'. See 'relist new --help' for more information.\n")
        #expect(try folder.files == [])
    }

    @Test(arguments: [#"plain"#, "a \"quoted\" one", #"back\slash \(name)"#, "two\nlines", "it's", "höhe\t"])
    func specialCharactersInThePathOfTheDependencyAreEscapedInTheManifest(path: String) throws {
        let package = NewPackage(name: try PackageName("Garden"), dependency: .local("/\(path)"))
        let manifest = try package.text(of: "Package.swift")
        let literal = try #require(manifest.firstMatch(of: #/.package\(name: "relist", path: "(.*)"\),/#)).1
        #expect(unescaped(literal) == "/\(path)")
        let copied = try package.text(of: "Dockerfile").split(separator: "\n").filter { $0.hasPrefix("COPY --from=relist ") }
        let lists = try copied.map { try JSONDecoder().decode([String].self, from: Data($0.dropFirst(19).utf8)) }
        #expect(lists == ["Package.swift", "Sources", "Public"].map { [$0, "/\(path)/\($0)"] })
    }

    /// Returns the value of a Swift string literal.
    private func unescaped(_ literal: Substring) -> String {
        String(literal).replacing(#/\\(?:u\{([0-9a-f]+)\}|(.))/#) { match in
            match.1.map { String(Unicode.Scalar(UInt32($0, radix: 16)!)!) } ?? String(match.2!)
        }
    }
}

extension NewPackage {
    fileprivate func text(of path: String) throws -> String {
        try #require(files.first { $0.path == path }).text
    }
}
