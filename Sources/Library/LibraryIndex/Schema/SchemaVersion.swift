/// The versions of the database's schema that this program reads.
package enum SchemaVersion {
    /// The oldest version that it still converts. Earlier ones were never released.
    package static let oldest = 20
    /// The version that it writes.
    package static let newest = 22

    /// Makes sure that a database of this version can be opened, as can a new one's 0; else `.otherVersion`.
    package static func check(_ version: Int, path: String) throws(LibraryError) {
        if version > newest {
            throw LibraryError(
                .otherVersion,
                "The database \(path) belongs to a newer version of Segue "
                    + "(schema \(version), this one knows \(newest)); update Segue or choose another state directory.")
        }
        if version != 0, version < oldest {
            throw LibraryError(
                .otherVersion,
                "The database \(path) belongs to an older version of Segue (schema \(version), this one reads \(oldest) "
                    + "and later). Save playlists, stickers and history with that version's segue export, then move "
                    + "\(path)* away: the next start makes a new database, and the next sync fills it.")
        }
    }
}
