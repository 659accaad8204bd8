package import GRDB

/// The tables of one part of the library; all parts share one file and one `SchemaVersion`.
package struct SchemaPart: Sendable {
    /// One change of the schema, run once inside a transaction.
    package typealias Step = @Sendable (Database) throws -> Void

    /// The part's changes by the version that brought them.
    package let steps: [Int: Step]
    let rescued: [RescuedTable]

    /// Describes a part.
    package init(steps: [Int: Step], rescued: [RescuedTable]) { (self.steps, self.rescued) = (steps, rescued) }

    /// A change that SQL alone describes.
    package static func statements(_ sql: String) -> Step { { try $0.execute(sql: sql) } }
}

/// A table whose rows no sync brings back, that `DatabaseRescue` copies.
package struct RescuedTable: Sendable {
    let name: String
    /// A row's name for people; nil where that is of no interest.
    let noun: String?
    let order: String
    var filter = "1"
    /// The columns that are taken; nil takes all that both databases have.
    var columns: [String]?
    var fixed: [String: String] = [:]
    /// True if damage of it matters at each start; the next sync writes other tables again.
    var isChecked = true

    /// Describes a table that is copied whole.
    package init(_ name: String, noun: String? = nil, order: String = "rowid") {
        (self.name, self.noun, self.order) = (name, noun, order)
    }
}
