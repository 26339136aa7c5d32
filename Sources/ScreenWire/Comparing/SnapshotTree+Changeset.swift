import ScreenDiff

extension SnapshotTree {
    /// Returns the changeset that leads from this snapshot to `target`, as the bytes of its document.
    ///
    /// Members at the top that the protocol does not name are no part of it, since clients ignore them.
    ///
    /// - Throws: where `target` differs in a way that no changeset can say; places are those of `target`.
    public func changeset(to target: SnapshotTree) throws(DocumentFaults) -> [UInt8] {
        let stages = StagedChangeset(source: sections, target: target.sections).stages
        let isTitleChanged = title.map(ExactText.init) != target.title.map(ExactText.init)
        var faults = obstacles(to: target)
        if faults.isEmpty, ExactText(version) == ExactText(target.version), isTitleChanged || !stages.isEmpty {
            faults.append(DocumentFault(pointer: JSONPointer(steps: ["version"]), cause: .sameVersion))
        }
        guard faults.isEmpty else { throw DocumentFaults(faults: faults) }
        let bytes = ChangesetDocument.bytes(
            from: version, isTitleChanged: isTitleChanged, stages: stages, to: target.document()
        )
        guard let bytes else { preconditionFailure("only a limit stops a changeset from being written") }
        return bytes
    }

    private func obstacles(to target: SnapshotTree) -> [DocumentFault] {
        var faults: [DocumentFault] = []
        func fault(_ steps: JSONPointer.Step..., cause: DocumentFault.Cause) {
            faults.append(DocumentFault(pointer: JSONPointer(steps: steps), cause: cause))
        }
        if ExactText(screen) != ExactText(target.screen) {
            fault("screen", cause: .otherScreen(held: screen, named: target.screen))
        }
        if layout != target.layout { fault("layout", cause: .otherLayout(held: layout, named: target.layout)) }
        if title != nil, target.title == nil { fault("title", cause: .titleGoes) }
        let old = Dictionary(sections.map { (ExactText($0.id), $0.rest) }) { first, _ in first }
        for (index, section) in target.sections.enumerated() {
            guard let rest = old[ExactText(section.id)] else { continue }
            let changes = MemberChanges(from: rest, to: section.rest)
            for name in changes.changed + changes.added + changes.removed {
                fault("sections", .index(index), .name(name), cause: .unsaidChange)
            }
        }
        return faults
    }
}
