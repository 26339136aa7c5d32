// How the package is run, and what its readme says of it.
extension NewPackage {
    var dockerfile: String {
        """
        FROM swift:6.3-bookworm AS build
        RUN apt-get update \\
         && apt-get install -y --no-install-recommends libmicrohttpd-dev libcurl4-openssl-dev libxxhash-dev libsqlite3-dev \\
         && rm -rf /var/lib/apt/lists/*
        \(copiedDependency)WORKDIR /source
        COPY Package.* ./
        COPY Sources Sources
        COPY Tests Tests
        RUN swift build -c release --product \(name.text) --static-swift-stdlib \\
         && strip .build/release/\(name.text)

        FROM debian:bookworm-slim
        RUN apt-get update \\
         && apt-get install -y --no-install-recommends libmicrohttpd12 libsqlite3-0 ca-certificates curl \\
         && rm -rf /var/lib/apt/lists/* \\
         && useradd --system --home-dir /data --create-home server
        COPY --from=build /source/.build/release/\(name.text) /usr/local/bin/
        # The page, which the program looks for beside itself.
        COPY --from=build /source/.build/release/relist_RelistPage.resources /usr/local/bin/relist_RelistPage.resources
        ENV RELIST_HOST=0.0.0.0 \\
            RELIST_PORT=8080 \\
            RELIST_DATABASE=/data/relist.sqlite
        USER server
        VOLUME /data
        EXPOSE 8080
        HEALTHCHECK --interval=10s --timeout=2s --start-period=10s \\
            CMD curl -fsS "http://127.0.0.1:${RELIST_PORT}/healthz"
        ENTRYPOINT ["\(name.text)"]

        """
    }

    /// The folder that the manifest names is not in the reach of `docker build`, so it is given to it by a name of its own.
    private var copiedDependency: String {
        guard case .local(let path) = dependency else { return "" }
        return ["Package.swift", "Sources", "Public", "Tests"].map { part in
            "COPY --from=relist [\(part.jsonLiteral), \("\(path)/\(part)".jsonLiteral)]\n"
        }.joined()
    }

    private var dockerBuild: String {
        let image = name.text.lowercased()
        guard case .local(let path) = dependency else { return "docker build -t \(image) ." }
        return "docker build --build-context relist=\(path.shellWord) -t \(image) ."
    }

    var readme: String {
        """
        # \(name.text)

        One list screen, computed on the server: clients that hold a version of it receive what changed since. It is served with
        Relist.

        On Debian 12 with a Swift 6.3 toolchain:

            apt-get install libmicrohttpd-dev libcurl4-openssl-dev libxxhash-dev libsqlite3-dev
            swift test     # what the screen shows and does, without a server
            swift run      # the server on http://127.0.0.1:8080, and a page to look at it

        With Docker:

            \(dockerBuild)
            docker run -p 8080:8080 -e RELIST_AUTHENTICATION=demo -v \(name.text.lowercased()):/data \(name.text.lowercased())

        In one terminal, follow the screen:

            curl -N http://127.0.0.1:8080/screens/notes/changes -H 'Accept: text/event-stream'

        In another, change it:

            curl http://127.0.0.1:8080/screens/notes/actions/add --json '{"input":{"text":"Water the roses"}}'

        | file | what it has |
        |---|---|
        | `Sources/\(name.text)/Notes.swift` | the screen: its title, its cells, its actions |
        | `Sources/\(name.text)/NoteStore.swift` | its data, in a table of SQLite; reading and writing name a topic, which keeps the screen current |
        | `Sources/\(name.text)/Server.swift` | the program; `swift run \(name.text) --help` lists its flags |
        | `Tests/\(name.text)Tests` | tests of the screen |

        """
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
