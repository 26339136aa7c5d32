import ScreenModel
import ScreenWire
import Synchronization

/// Performs actions: decodes their input, and does under one key one thing once.
final class Actions: Sendable {
    private let catalog: ScreenCatalog
    private let hash: ContentHash
    private let receipts: any ReceiptStoring
    private let now: @Sendable () -> Int64
    private let underWay = Mutex<Set<ActionReceipt.Key>>([])

    init(
        catalog: ScreenCatalog, hash: ContentHash, receipts: any ReceiptStoring, now: @escaping @Sendable () -> Int64
    ) {
        self.catalog = catalog
        self.hash = hash
        self.receipts = receipts
        self.now = now
    }

    /// Returns once it is done, or was done before under the same key.
    ///
    /// - Throws: ``ActionFault``, ``InputFaults``, or what the action throws. Then nothing was done.
    func perform(_ request: ActionRequest, on view: ScreenView) async throws {
        guard let screen = catalog.screen(of: view) else { throw ViewFault.unknownScreen(view.screen, known: catalog.names) }
        let known = screen.actions
        guard let action = known.first(where: { $0.name == request.action }) else {
            throw ActionFault.unknownAction(request.action, screen: view.screen, known: known.map(\.name))
        }
        let deed = try action.deed(for: request.input)
        guard let text = request.idempotencyKey else { return try await deed(ScreenRequest(view: view)) }
        let key = ActionReceipt.Key(user: request.user, screen: view.screen, action: action.name, text: text)
        try await once(ActionReceipt(key: key, request: digest(of: request, view), performedAt: now())) {
            try await deed(ScreenRequest(view: view))
        }
    }

    private func once(_ receipt: ActionReceipt, _ deed: () async throws -> Void) async throws {
        guard underWay.withLock({ $0.insert(receipt.key).inserted }) else { throw ActionFault.underWay }
        defer { underWay.withLock { _ = $0.remove(receipt.key) } }
        if let earlier = try await receipts.receipt(for: receipt.key), earlier.isAlive(at: receipt.performedAt) {
            if earlier.request != receipt.request { throw ActionFault.keyOfOtherRequest }
            return
        }
        let pending = PendingReceipt(receipt, for: receipts)
        try await PendingReceipt.$current.withValue(pending) { try await deed() }
        // What an action does in memory alone takes no transaction along.
        if !pending.isKept { try await receipts.keep(receipt) }
    }

    /// What was asked for: all but the version, which says what the client holds, and moves on while
    /// it is unsure of having been heard.
    private func digest(of request: ActionRequest, _ view: ScreenView) -> Version {
        var writer = JSONWriter()
        writer.writeArray(view.parameters.flatMap { [$0.name, $0.value] })
        writer.write(request.input)
        return hash.version(of: writer.bytes)
    }
}

extension ActionReceipt {
    fileprivate func isAlive(at time: Int64) -> Bool {
        time - performedAt < Self.lifetime
    }
}
