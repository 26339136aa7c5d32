import Dispatch
import Foundation
import Glibc
import HTTPServer
import RawClient
import ScreenService
import Synchronization
import Testing

@testable import ScreenHTTP

@Suite(.serialized) struct FilesUnderPressureTests {
    @Test func noFileOutsideTheFolderIsServedIfALinkIsReplacedDuringRequests() async throws {
        let files = ["inside.txt": "in", "folder/a.txt": "in", "../secret.txt": "out", "../outside/a.txt": "out"]
        let folder = try Folder(files)
        let publicFiles = try #require(PublicFiles(folder: folder.path))
        let swapper = LinkSwapper(folder)
        var texts: Set<String?> = []
        for _ in 0..<5000 {
            for names in [["swapped.txt"], ["swapped", "a.txt"]] {
                texts.insert(try await publicFiles.answer(to: names, ifNoneMatch: nil)?.text)
            }
        }
        swapper.end()
        #expect(texts.contains("in"))
        #expect(!texts.contains("out"))
    }

    @Test func aFileIsNotReadOnTheEventLoop() async throws {
        let folder = try Folder(["a.txt": "a"])
        let site = try await Transport.memory.serve(folder)
        guard case .later = site.api.reply(to: Request(method: "GET", target: "/a.txt")).content else {
            Issue.record("the file was sent at once")
            return
        }
    }

    @Test func aRequestForAFileIsRejectedWhileTooManyOtherRequestsWait() async throws {
        let folder = try Folder(["a.txt": "a"])
        let publicFolder = try #require(PublicFolder(folder.path))
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        let mayGoOn = DispatchSemaphore(value: 0)
        let files = PublicFiles(
            open: { names in
                begin.yield()
                mayGoOn.wait()
                return try publicFolder.open(names)
            }, work: BlockingWork(width: 1, waitingLimit: 0))
        async let first = files.answer(to: ["a.txt"], ifNoneMatch: nil)
        for await _ in begins { break }
        let error = await #expect(throws: BlockingWork.Overload.self) {
            try await files.answer(to: ["a.txt"], ifNoneMatch: nil)
        }
        #expect(Problem(try #require(error))?.kind == .unavailable)
        for _ in 0..<2 { mayGoOn.signal() }
        #expect(try await first?.text == "a")
        #expect(try await files.answer(to: ["a.txt"], ifNoneMatch: nil)?.text == "a")
    }

    @Test(arguments: [EMFILE, ENFILE, ENOMEM, EIO])
    func aFileThatTemporarilyCannotBeOpenedIsNotReportedAsMissing(_ code: Int32) async throws {
        let fault = try #require(PublicFolder.TemporaryError(code: code))
        let files = PublicFiles(open: { _ in throw fault })
        await #expect(throws: fault) { try await files.answer(to: ["a.txt"], ifNoneMatch: nil) }
        #expect(Problem(fault)?.kind == .unavailable)
    }

    @Test func aTemporaryErrorIsReportedIfAFileBecomesShorterWhileItIsRead() async throws {
        let folder = try Folder(["a.txt": "a"])
        let publicFolder = try #require(PublicFolder(folder.path))
        let files = PublicFiles(open: { names in
            let file = try publicFolder.open(names)
            truncate(folder.path + "/a.txt", 0)
            return file
        })
        await #expect(throws: PublicFolder.TemporaryError.unreadable) { try await files.answer(to: ["a.txt"], ifNoneMatch: nil) }
    }

    @Test func aChangedFileWithItsOldModificationTimeHasADifferentEntityTag() throws {
        let folder = try Folder(["a.txt": "a"])
        let publicFolder = try #require(PublicFolder(folder.path))
        let path = folder.path + "/a.txt"
        let before = try publicFolder.open(["a.txt"])?.tag
        var (old, new) = (stat(), stat())
        stat(path, &old)
        // Setting the modification time (`mtime`) to its old value updates the change time (`ctime`) of the file. The change time has a
        // coarse resolution, so the loop repeats this until the change time differs from its old value.
        repeat {
            utimensat(AT_FDCWD, path, [old.st_atim, old.st_mtim], 0)
            stat(path, &new)
        } while new.st_ctim.tv_sec == old.st_ctim.tv_sec && new.st_ctim.tv_nsec == old.st_ctim.tv_nsec
        let after = try publicFolder.open(["a.txt"])?.tag
        #expect(before != after)
    }

    @Test func aLinkToAnyFileIsFollowedIfTheServedFolderIsTheRoot() throws {
        let folder = try Folder(["a.txt": "a"])
        try folder.link("link", to: folder.resolvedPath + "/a.txt")
        let root = try #require(PublicFolder("/"))
        let names = (folder.resolvedPath + "/link").split(separator: "/").map(String.init)
        let size = try root.open(names)?.size
        #expect(size == 1)
    }

    @Test(arguments: [ENOENT, EACCES, ENAMETOOLONG, ENXIO])
    func theErrorOfAMissingFileIsNotTreatedAsTemporary(_ code: Int32) {
        #expect(PublicFolder.TemporaryError(code: code) == nil)
    }

    @Test func theCachedFilesStayBelowTheSizeLimitOfTheCache() async throws {
        let large = String(repeating: "a", count: 12 << 20)
        let names = (0..<8).map { "\($0).txt" }
        let folder = try Folder(Dictionary(uniqueKeysWithValues: names.map { ($0, large) }))
        let files = try #require(PublicFiles(folder: folder.path))
        for name in names {
            #expect(try await files.answer(to: [name], ifNoneMatch: nil)?.text.utf8.count == large.utf8.count)
            #expect(files.cachedBytes <= PublicFiles.cacheLimit)
        }
        #expect(files.cachedBytes > PublicFiles.cacheLimit / 2)
    }
}

extension Answer {
    fileprivate var text: String {
        guard case .prepared(let prepared) = self else { return "" }
        return String(decoding: prepared.response.body, as: UTF8.self)
    }
}

/// An object that replaces a file and a folder with links to the outside of the served folder, and then restores them. It repeats both
/// steps on a separate thread until `end()` is called.
private final class LinkSwapper: Sendable {
    private let isEnding = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ folder: Folder) {
        DispatchQueue(label: "swapping").async { [self] in
            let path = folder.path
            while !isEnding.load(ordering: .relaxed) {
                link("\(path)/inside.txt", "\(path)/new")
                rename("\(path)/new", "\(path)/swapped.txt")
                rename("\(path)/folder", "\(path)/swapped")
                symlink("../secret.txt", "\(path)/new")
                rename("\(path)/new", "\(path)/swapped.txt")
                rename("\(path)/swapped", "\(path)/folder")
                symlink("../outside", "\(path)/swapped")
                unlink("\(path)/swapped")
            }
            hasEnded.signal()
        }
    }

    func end() {
        isEnding.store(true, ordering: .relaxed)
        hasEnded.wait()
    }
}
