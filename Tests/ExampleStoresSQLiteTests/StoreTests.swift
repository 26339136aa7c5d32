import Testing

/// What every store does, whatever it keeps its records in. Its screens lie beside this file.
@Suite("A store") struct StoreTests {}
