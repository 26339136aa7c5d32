/// Makes a full collection of a value that keeps its elements in one array.
///
/// Sections are one over their cells and models over their sections, so that both are read and
/// changed with everything that the standard library offers for arrays.
public protocol ArrayBacked: RandomAccessCollection, MutableCollection, RangeReplaceableCollection
where Index == Int, Indices == Range<Int> {
    /// Holds the elements in their order.
    var elements: [Element] { get set }
}

extension ArrayBacked {
    @inlinable public var startIndex: Int { elements.startIndex }
    @inlinable public var endIndex: Int { elements.endIndex }

    @inlinable public subscript(position: Int) -> Element {
        get { elements[position] }
        // A setter would copy the element, and with it the arrays inside, on each change.
        _modify { yield &elements[position] }
    }

    @inlinable
    public mutating func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<Element>
    ) {
        elements.replaceSubrange(subrange, with: newElements)
    }
}
