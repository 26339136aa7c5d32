import Relist
import ScreenWire

/// A package that serves one screen, like `Examples/Groceries`. Its files are copies of the files of `Template`, in which the name and the
/// dependency are replaced.
struct NewPackage {
    let name: PackageName
    let dependency: Dependency

    /// The files of the package, each with its path in the folder.
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
        // SwiftPM does not accept hidden files as resources, so the text of these files is written here.
        let hidden = [".dockerignore", ".gitignore"].map { (path: $0, text: ".build/\n*.sqlite*\n") }
        return template.map { (named($0), filled(String(decoding: $1, as: UTF8.self))) } + hidden
    }

    /// The next steps for the user, printed after the package is created.
    var nextSteps: String {
        """
        Created \(name.text) with one screen, its table and a test. Next:

          cd \(name.text)
          swift test
          swift run
        """
    }

    /// Returns a text of the template with the name `Garden` replaced by the name of this package.
    private func named(_ text: String) -> String {
        text.replacing(#/[Gg]arden/#) { $0.output == "Garden" ? name.text : name.text.lowercased() }
    }

    /// Returns a text of the template with the name and the dependency replaced by those of this package.
    private func filled(_ text: String) -> String {
        let template = NewPackage(name: name, dependency: .local("/relist"))
        return zip(template.partsOfDependency, partsOfDependency).reduce(named(text)) { text, parts in
            text.replacing(parts.0, with: parts.1)
        }
    }

    /// The texts in the files of the package that refer to the dependency.
    private var partsOfDependency: [String] {
        [dependency.declaration, "package: \(dependency.identity.swiftLiteral)", copiedDependency, dockerBuild]
    }

    /// The lines of the Dockerfile that copy the dependency from a second build context. The first build context is the folder of the
    /// package, which does not contain the dependency.
    private var copiedDependency: String {
        guard case .local(let path) = dependency else { return "" }
        return ["Package.swift", "Sources", "Public"].map { part in
            "COPY --from=relist [\(part.quoted), \("\(path)/\(part)".quoted)]\n"
        }.joined()
    }

    private var dockerBuild: String {
        let image = name.text.lowercased()
        guard case .local(let path) = dependency else { return "docker build -t \(image) ." }
        return "docker build --build-context relist=\(path.shellWord) -t \(image) ."
    }
}
