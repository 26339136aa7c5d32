/// A package that serves one screen, as `Examples/Groceries` does: the files of `Template`, with a name and a dependency.
struct NewPackage {
    let name: PackageName
    let dependency: Dependency

    /// Its files by their paths in its folder.
    var files: [(path: String, text: String)] {
        let template = [
            ("Package.swift", PackageResources.Package_swift),
            ("Sources/Garden/Server.swift", PackageResources.Server_swift),
            ("Sources/Garden/Notes.swift", PackageResources.Notes_swift),
            ("Sources/Garden/NoteStore.swift", PackageResources.NoteStore_swift),
            ("Tests/GardenTests/NotesTests.swift", PackageResources.NotesTests_swift),
            ("Dockerfile", PackageResources.Dockerfile),
            ("README.md", PackageResources.README_md),
        ]
        // SwiftPM does not take hidden files as resources.
        let hidden = [".dockerignore", ".gitignore"].map { (path: $0, text: ".build/\n*.sqlite*\n") }
        return template.map { (named($0), filled(String(decoding: $1, as: UTF8.self))) } + hidden
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

    /// A text of the template with the name of this package instead of Garden.
    private func named(_ text: String) -> String {
        text.replacing(#/[Gg]arden/#) { $0.output == "Garden" ? name.text : name.text.lowercased() }
    }

    /// A text of the template with the name and the dependency of this package.
    private func filled(_ text: String) -> String {
        let template = NewPackage(name: name, dependency: .local("/relist"))
        return zip(template.partsOfDependency, partsOfDependency).reduce(named(text)) { text, parts in
            text.replacing(parts.0, with: parts.1)
        }
    }

    /// The parts of the files that differ by the dependency.
    private var partsOfDependency: [String] {
        [dependency.declaration, "package: \(dependency.identity.swiftLiteral)", copiedDependency, dockerBuild]
    }

    /// The lines of the Dockerfile that copy the folder of the manifest, which `docker build` reaches only by a name of its own.
    private var copiedDependency: String {
        guard case .local(let path) = dependency else { return "" }
        return ["Package.swift", "Sources", "Public"].map { part in
            "COPY --from=relist [\(part.jsonLiteral), \("\(path)/\(part)".jsonLiteral)]\n"
        }.joined()
    }

    private var dockerBuild: String {
        let image = name.text.lowercased()
        guard case .local(let path) = dependency else { return "docker build -t \(image) ." }
        return "docker build --build-context relist=\(path.shellWord) -t \(image) ."
    }
}

extension String {
    /// This text as JSON has it, on one line.
    fileprivate var jsonLiteral: String {
        let characters = unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case _ where scalar.value < 0x20: "\\u" + ("000" + String(scalar.value, radix: 16)).suffix(4)
            default: String(scalar)
            }
        }
        return "\"\(characters.joined())\""
    }

    /// This text as one word of a shell.
    fileprivate var shellWord: String {
        "'\(replacing("'", with: #"'\''"#))'"
    }
}
