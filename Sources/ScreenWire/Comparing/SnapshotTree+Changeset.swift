import ScreenDiff

extension SnapshotTree {
    /// Returns the document of the changeset from this snapshot to `target`, in UTF-8. Top-level members that the protocol does not define
    /// are not compared, because clients ignore them.
    ///
    /// - Throws: A fault for each difference that a changeset cannot express, with its place in `target`.
    public func changeset(to target: SnapshotTree) throws(DocumentFaults) -> [UInt8] {
        let stages = Self.stages(from: sections, to: target.sections)
        let isTitleChanged = title.map(ExactText.init) != target.title.map(ExactText.init)
        var faults = inexpressibleChanges(to: target)
        if faults.isEmpty, ExactText(version) == ExactText(target.version), isTitleChanged || !stages.isEmpty {
            faults.append(DocumentFault(pointer: JSONPointer(steps: ["version"]), cause: .sameVersion))
        }
        guard faults.isEmpty else { throw DocumentFaults(faults: faults) }
        let bytes = ChangesetDocument.bytes(
            from: version, isTitleChanged: isTitleChanged, stages: stages, to: target.document()
        )
        guard let bytes else { preconditionFailure("a changeset without a limit is always written") }
        return bytes
    }

    private func inexpressibleChanges(to target: SnapshotTree) -> [DocumentFault] {
        var faults: [DocumentFault] = []
        func fault(_ steps: JSONPointer.Step..., cause: DocumentFault.Cause) {
            faults.append(DocumentFault(pointer: JSONPointer(steps: steps), cause: cause))
        }
        if ExactText(screen) != ExactText(target.screen) {
            fault("screen", cause: .unexpectedText(found: target.screen, expected: [screen]))
        }
        if layout != target.layout {
            fault("layout", cause: .unexpectedText(found: target.layout.rawValue, expected: [layout.rawValue]))
        }
        if title != nil, target.title == nil { fault("title", cause: .titleRemoved) }
        let old = Dictionary(sections.map { (ExactText($0.id), $0.unknownMembers) }) { first, _ in first }
        for (index, section) in target.sections.enumerated() {
            guard let members = old[ExactText(section.id)] else { continue }
            let changes = MemberChanges(from: members, to: section.unknownMembers)
            for name in changes.changed + changes.added + changes.removed {
                fault("sections", .index(index), .name(name), cause: .inexpressibleChange)
            }
        }
        return faults
    }
}
