import Logging
import RelistSQLite
import ScreenService
import TemporaryDatabase
import Testing

@Suite("The secret of versions") struct VersionSecretTests {
    @Test func theSecretOfVersionsIsTheSameAfterTheDatabaseIsReopened() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let secret = try await store.secret(byteCount: 192)
        #expect(secret.count == 192)
        #expect(try await store.secret(byteCount: 192) == secret)
        await store.close()
        let reopened = try folder.open()
        #expect(try await reopened.secret(byteCount: 192) == secret)
        await reopened.close()
    }

    @Test func theServiceDoesNotStartIfItsSecretIsDamaged() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        _ = try await store.secret(byteCount: ContentHash.secretByteCount)
        try await store.write { _ = try $0.write("UPDATE grdb_relist_secret SET bytes = x'01'") }
        let catalog = try ScreenCatalog([])
        await #expect(throws: DataUnavailable(reason: "the secret of the database is damaged")) {
            try await ScreenService(catalog: catalog, store: store, logger: Logger(label: "test"))
        }
        await store.close()
    }

    @Test func aDamagedSchemaIsReportedAsDamage() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.write { _ = try $0.write("ALTER TABLE grdb_relist_secret RENAME COLUMN bytes TO bites") }
        await #expect(throws: DataUnavailable(reason: "the schema of the database is damaged")) {
            try await store.secret(byteCount: 192)
        }
        await store.close()
    }

    @Test func differentDatabasesHaveDifferentSecrets() async throws {
        let folders = (try TemporaryFolder(), try TemporaryFolder())
        let stores = (try folders.0.open(), try folders.1.open())
        #expect(try await stores.0.secret(byteCount: 192) != stores.1.secret(byteCount: 192))
        await stores.0.close()
        await stores.1.close()
    }
}
