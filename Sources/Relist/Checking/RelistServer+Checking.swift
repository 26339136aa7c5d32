import Foundation
import Logging
import ScreenHTTP
import ScreenService

extension RelistServer {
    /// Checks the settings, the files, the database and the screens before a deployment, and changes nothing in the database. Prints one
    /// line for each finding: `ok`, `warning` or `error`, then the part, its condition, and what to do.
    ///
    /// If there is an error, the function ends the process with exit code 1.
    public func check(with options: ServeOptions) async {
        await check(with: options, and: [])
    }

    /// Checks the server with additional settings.
    package func check(with options: ServeOptions, and others: [any CheckableSetting]) async {
        let findings: [CheckFinding]
        do {
            let configuration = try ServerConfiguration(options, and: others, takesDatabase: takesDatabase)
            findings = [.ok("settings", "all are valid")] + (await self.findings(for: configuration))
        } catch {
            findings = error.faults.map { .error("settings", "\($0)") }
        }
        for finding in findings { print(finding.line) }
        if findings.contains(where: { $0.severity == .error }) { exit(1) }
    }

    func findings(for configuration: ServerConfiguration) async -> [CheckFinding] {
        let context = Context(logger: Self.logger(configuration), deadline: configuration.deadline)
        let database = await checkedDatabase(of: configuration, context)
        let authentication = await authenticationFindings(of: configuration, context)
        let screens = await screensFindings(on: database, configuration, context)
        return [folderFinding(of: configuration)] + accessLogFindings(of: configuration) + authentication + database.findings + screens
    }

    /// The result of a check of the database, with the function that makes the screens, if there is a store for them.
    struct Checked {
        let findings: [CheckFinding]
        var opened: Opened?
    }

    /// Returns a function that checks the database, and makes the screens with the store of the check.
    static func checking<Store: ServiceStoring>(
        _ check: @escaping @Sendable (_ path: String, Logger) async throws -> StoreCheck<Store>,
        _ screens: @escaping @Sendable (Store, Context) async throws -> [any Screen]
    ) -> @Sendable (_ path: String, Context) async throws -> Checked {
        { path, context in
            let check = try await check(path, context.logger)
            let opened = check.store.map { store in Opened(store: store) { try await screens(store, context) } }
            return Checked(findings: check.findings, opened: opened)
        }
    }

    private func checkedDatabase(of configuration: ServerConfiguration, _ context: Context) async -> Checked {
        guard let checkStore else {
            let text = "it is not checked, since this program opens a database of its own. Pass a function as checking: to RelistServer."
            return Checked(findings: [.warning("database", text)])
        }
        do {
            return try await checkStore(configuration.database, context)
        } catch {
            return Checked(findings: Self.errors("database", error))
        }
    }

    private func folderFinding(of configuration: ServerConfiguration) -> CheckFinding {
        guard let folder = folder(of: configuration) else {
            return .warning("public folder", "\(Self.missingPage). Copy the folder, or name another one with --public.")
        }
        guard Self.isFolder(folder), FileManager.default.isReadableFile(atPath: folder) else {
            return .error("public folder", "\(folder) is no folder that can be read. Create it, or name another one with --public.")
        }
        return .ok("public folder", "\(folder) can be read")
    }

    private func accessLogFindings(of configuration: ServerConfiguration) -> [CheckFinding] {
        guard let path = configuration.accessLog, path != AccessLog.standardOutput else { return [] }
        // `URL` would replace a tilde at the start, which the server does not.
        let parent = (path as NSString).deletingLastPathComponent
        let folder = parent.isEmpty ? "." : parent
        let canCreate = !path.hasSuffix("/") && Self.isFolder(folder) && access(folder, W_OK | X_OK) == 0
        let exists = FileManager.default.fileExists(atPath: path)
        guard exists ? !Self.isFolder(path) && access(path, W_OK) == 0 : canCreate else {
            return [.error("access log", "\(path) cannot be written. Give another file with --access-log.")]
        }
        return [.ok("access log", "\(path) can be written")]
    }

    private func authenticationFindings(of configuration: ServerConfiguration, _ context: Context) async -> [CheckFinding] {
        let subject = "authentication"
        do {
            // Development authentication would create its key.
            if authentication != nil, configuration.authentication?.choice == .development {
                let text = "anyone who reaches the server can sign in as anyone. Use keys=FILE or keys=URL in production."
                return [.warning(subject, text)]
            }
            switch try await authentication(as: configuration, context.logger)?.condition {
            case nil: return [.ok(subject, "every caller is the user demo")]
            case .sound: return [.ok(subject, "the key set can be read")]
            case .impaired(let fault), .unable(let fault):
                return [.warning(subject, "\(fault). The server starts and tries again; check the URL.")]
            }
        } catch {
            return Self.errors(subject, error)
        }
    }

    private func screensFindings(on database: Checked, _ configuration: ServerConfiguration, _ context: Context) async -> [CheckFinding] {
        let opened = database.opened
        let result = await Result { try await catalog(of: opened, configuration, context) }
        await opened?.store.close()
        switch result {
        case .success(let catalog) where opened != nil || screens != nil:
            return [.ok("screens", catalog.names.isEmpty ? "there are none" : catalog.names.joined(separator: ", "))]
        case .success:
            return [.warning("screens", "they are not checked, since making them needs the database. Correct the finding above first.")]
        case .failure(let error) where error is CatalogFaults || error is RouteFaults || !database.isDifferentAtStart(for: error):
            return Self.errors("screens", error)
        case .failure(let error):
            return [.warning("screens", "they cannot be made as long as the check changes nothing: \(error). Check the start itself.")]
        }
    }

    /// Makes the screens and checks them and the routes, as at a start.
    private func catalog(of opened: Opened?, _ configuration: ServerConfiguration, _ context: Context) async throws -> ScreenCatalog {
        guard let opened else { return try checkedBeforeOpening(configuration) }
        return try await parts(of: opened, configuration, context).catalog
    }

    private static func errors(_ subject: String, _ error: any Error) -> [CheckFinding] {
        "\(error)".split(whereSeparator: \.isNewline).map { .error(subject, String($0)) }
    }
}

extension RelistServer.Checked {
    /// Returns a Boolean value that indicates whether the error of making the screens may be missing at a start. A start runs migrations,
    /// and its store accepts writes.
    fileprivate func isDifferentAtStart(for error: any Error) -> Bool {
        error is DataUnavailable || findings.contains { $0.severity != .ok }
    }
}
