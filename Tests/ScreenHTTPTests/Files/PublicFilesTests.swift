import Glibc
import HTTPServer
import RawClient
import Testing

@Suite(.serialized) struct PublicFilesTests {
    @Test(
        arguments: Transport.allCases,
        [
            ("page.html", "text/html; charset=utf-8"), ("a.css", "text/css; charset=utf-8"),
            ("a.js", "text/javascript; charset=utf-8"),
            ("a.mjs", "text/javascript; charset=utf-8"), ("a.json", "application/json"), ("a.svg", "image/svg+xml"),
            ("a.png", "image/png"), ("A.PNG", "image/png"), ("a.b.txt", "text/plain; charset=utf-8"),
            ("a.xyz", "application/octet-stream"),
            ("README", "application/octet-stream"), ("a.d/b", "application/octet-stream"),
        ])
    func aFileIsSentWithItsTypeAndSecurityHeaders(_ transport: Transport, _ example: (name: String, type: String)) async throws {
        let site = try await transport.serve(try Folder([example.name: "some text"]))
        let answer = try await site.get("/\(example.name)")
        #expect(answer.status == 200)
        #expect(answer.text == "some text")
        #expect(answer.headers["Content-Type"] == example.type)
        #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
        #expect(answer.headers["Cache-Control"] == "no-cache")
    }

    @Test(arguments: Transport.allCases)
    func theContentSecurityPolicyAllowsOnlyFilesOfThisServer(_ transport: Transport) async throws {
        let site = try await transport.serve(try Folder(["page.html": "some text"]))
        let answer = try await site.get("/page.html")
        let policy = try #require(answer.headers["Content-Security-Policy"])
        let directives = [
            "default-src 'self'", "connect-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors 'none'",
        ]
        #expect(policy == directives.joined(separator: "; "))
        #expect(answer.headers["Referrer-Policy"] == "no-referrer")
        let tag = try #require(answer.headers["ETag"])
        #expect(try await site.get("/page.html", ["If-None-Match": tag]).headers["Content-Security-Policy"] == policy)
    }

    @Test(arguments: Transport.allCases)
    func aRequestForAFolderReceivesItsIndexFile(_ transport: Transport) async throws {
        let site = try await transport.serve(try Folder(["index.html": "top", "deep/er/index.html": "deep", "bare/a.txt": "a"]))
        let answer = try await site.get("/")
        #expect(answer.text == "top")
        #expect(answer.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(try await site.get("/?any=query&%zz").text == "top")
        #expect(try await site.get("/deep/er/").text == "deep")
        for target in ["/deep/er", "/deep/", "/bare/", "/bare"] { try await site.get(target).expectProblem("not-found", 404) }
    }

    @Test(arguments: Transport.allCases)
    func theEntityTagOfAFileIsAnsweredWith304UntilTheFileChanges(_ transport: Transport) async throws {
        let folder = try Folder(["a.txt": "one"])
        let site = try await transport.serve(folder)
        let first = try await site.get("/a.txt")
        let tag = try #require(first.headers["ETag"])
        for list in [tag, "W/\(tag)", "*", "\"other\", \(tag)"] {
            let answer = try await site.get("/a.txt", ["If-None-Match": list])
            #expect(answer.status == 304)
            #expect(answer.body.isEmpty)
            #expect(answer.headers["ETag"] == tag)
            #expect(answer.headers["Content-Length"] ?? String(first.receivedCount) == String(first.receivedCount))
        }
        try folder.write("two", to: "a.txt")
        let second = try await site.get("/a.txt", ["If-None-Match": tag])
        #expect(second.status == 200)
        #expect(second.text == "two")
        #expect(second.headers["ETag"] != tag)
    }

    @Test(arguments: Transport.allCases)
    func addedAndRemovedFilesAreNoticed(_ transport: Transport) async throws {
        let folder = try Folder(["a.txt": "a"])
        let site = try await transport.serve(folder)
        #expect(try await site.get("/a.txt").text == "a")
        try folder.remove("a.txt")
        try await site.get("/a.txt").expectProblem("not-found", 404)
        try folder.write("", to: "b.txt")
        let answer = try await site.get("/b.txt")
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Length"] == "0")
    }

    @Test(arguments: Transport.allCases)
    func theResponseToAHEADRequestHasTheLengthOfTheFile(_ transport: Transport) async throws {
        let site = try await transport.serve(try Folder(["a.txt": "four"]))
        let answer = try await site.ask(Request(method: "HEAD", target: "/a.txt"))
        #expect(answer.status == 200)
        #expect(try await answer.headers["Content-Length"] == String(site.get("/a.txt").receivedCount))
        #expect(answer.body.isEmpty)
    }

    @Test(
        arguments: Transport.allCases,
        [
            "/../secret.txt", "/a/../../secret.txt", "/%2e%2e/secret.txt", "/%2E%2E/secret.txt", "/.%2e/secret.txt",
            "/..%2fsecret.txt",
            "/a%2f..%2f..%2fsecret.txt", "/..%5csecret.txt", "/a/%2e%2e/a.txt", "/./a.txt", "//a.txt", "/a//b.txt",
            "/a%2fb.txt",
            "/%2fetc/passwd", "//etc/passwd", "/a.txt%00", "/a.txt%00.html", "/%00", "/.hidden", "/%2ehidden",
            "/.git/config", "/a/.hidden", "/..",
            "/../", "/.", "/a.txt/", "/a.txt/b", "/a", "/pipe", "secret.txt", "/Page.swift", "/package.json",
        ])
    func pathsOutsideTheFolderAreNotFound(_ transport: Transport, _ target: String) async throws {
        let files = [
            "a.txt": "a", "a/b.txt": "b", ".hidden": "no", ".git/config": "no", "a/.hidden": "no", "../secret.txt": "no",
            "Page.swift": "no", "package.json": "no",
        ]
        let folder = try Folder(files)
        mkfifo(folder.path + "/pipe", 0o600)
        let site = try await transport.serve(folder)
        #expect(try await site.get("/a/b.txt").text == "b")
        try await site.get(target).expectProblem("not-found", 404)
    }

    @Test(arguments: Transport.allCases)
    func aPathThatIsTooLongIsAnsweredWith404(_ transport: Transport) async throws {
        let site = try await transport.serve(try Folder([:]))
        try await site.get("/" + String(repeating: "a", count: 5000)).expectProblem("not-found", 404)
        try await site.get(String(repeating: "/a", count: 4000)).expectProblem("not-found", 404)
    }

    @Test(arguments: Transport.allCases)
    func aLinkIsFollowedOnlyWithinTheFolder(_ transport: Transport) async throws {
        let files = ["a.txt": "a", "sub/b.txt": "b", "../secret.txt": "no", "../Public-other/c.txt": "no"]
        let folder = try Folder(files)
        let site = try await transport.serve(folder)
        for (name, target) in [
            ("out.txt", "../secret.txt"), ("up", ".."), ("etc", "/etc"), ("beside", "../Public-other"),
            ("none", "nowhere"), ("loop", "loop"),
        ] { try folder.link(name, to: target) }
        let outside = [
            "/out.txt", "/up/secret.txt", "/etc/passwd", "/beside/c.txt", "/up/Public/up/secret.txt",
            // This path leaves the folder through a link, and then returns to it.
            "/up/Public/a.txt",
        ]
        for target in outside + ["/none", "/loop"] {
            try await site.get(target).expectProblem("not-found", 404)
        }
        for (name, target) in [
            ("in.txt", "sub/b.txt"), ("sub/top", ".."), ("sub/again.txt", "../sub/.././in.txt"), ("chain", "sub/top"),
            ("absolute", "\(folder.resolvedPath)/sub"), ("same", folder.resolvedPath),
        ] { try folder.link(name, to: target) }
        for target in ["/in.txt", "/sub/again.txt", "/chain/sub/b.txt", "/chain/sub/top/in.txt", "/absolute/b.txt", "/same/in.txt"] {
            #expect(try await site.get(target).text == "b", "\(target)")
        }
        #expect(try await site.get("/sub/top/a.txt").text == "a")
    }

    @Test(arguments: Transport.allCases)
    func aLinkToAFileDoesNotChangeTheContentTypeOfTheFile(_ transport: Transport) async throws {
        let folder = try Folder(["page.html": "page"])
        let site = try await transport.serve(folder)
        try folder.link("page", to: "page.html")
        #expect(try await site.get("/page").text == "page")
        #expect(try await site.get("/page.html").headers["Content-Type"] == "text/html; charset=utf-8")
    }

    @Test(arguments: Transport.allCases)
    func aFileAboveTheSizeLimitIsNotServed(_ transport: Transport) async throws {
        let most = String(repeating: "a", count: 16 << 20)
        let site = try await transport.serve(try Folder(["most.txt": most, "more.txt": most + "a"]))
        #expect(try await site.get("/most.txt").body.count == 16 << 20)
        try await site.get("/more.txt").expectProblem("not-found", 404)
    }

    @Test(arguments: Transport.allCases)
    func withoutAFolderNoFilesAreServed(_ transport: Transport) async throws {
        for missing in [nil, Folder()] {
            let site = try await transport.serve(missing)
            for target in ["/", "/index.html"] { try await site.get(target).expectProblem("not-found", 404) }
            #expect(try await site.get("/screens").status == 200)
        }
    }
}
