/// Returns the bytes that `encode` writes into memory of a greatest size. The result takes no more memory than its bytes.
///
/// - Parameter encode: A function that writes bytes and returns their number.
func encodedBytes(atMost limit: Int, _ encode: (UnsafeMutableBufferPointer<UInt8>) -> Int) -> [UInt8] {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: limit)
    defer { memory.deallocate() }
    return Array(memory.prefix(encode(memory)))
}
