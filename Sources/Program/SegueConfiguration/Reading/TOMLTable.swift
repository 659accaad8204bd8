/// A table while its text is read.
final class TOMLTable {
    /// Something that has a name in a table.
    enum Entry {
        case value(Node)
        case table(TOMLTable)
        case list(TOMLSectionList)
    }

    /// How a table came to be, which decides who may add to it.
    private enum Origin {
        /// By the names of sections in it.
        case implied
        /// By a name with dots.
        case dotted
        /// By a head of its own.
        case written
    }

    /// The key with its sections, as people read it.
    private let path: String
    private var line: Int
    private var origin = Origin.written
    /// The values and tables in it, by name.
    var entries: [String: Entry] = [:]

    init(path: String, line: Int) { (self.path, self.line) = (path, line) }

    private convenience init(_ origin: Origin, path: String, line: Int) {
        self.init(path: path, line: line)
        self.origin = origin
    }

    /// The path of a key of this table.
    func path(of key: String) -> String { path.isEmpty ? key : path + "." + key }

    /// The table as the configuration's reader takes it.
    var node: Node {
        let nodes = entries.mapValues { entry in
            switch entry {
            case .value(let node): node
            case .table(let table): table.node
            case .list(let list): list.node
            }
        }
        return Node(value: .table(nodes), path: path, line: line)
    }

    /// The table of a `[name]`; nil where that has a table or a value already.
    func openSection(_ name: [String], line: Int) -> TOMLTable? {
        guard let key = name.last, let holder = holder(of: name, line: line) else { return nil }
        switch holder.entries[key] {
        case .table(let table) where table.origin == .implied:
            (table.origin, table.line) = (.written, line)
            return table
        case nil: return holder.add(.written, key, line)
        default: return nil
        }
    }

    /// A new table of a `[[name]]`; nil where that is something else already.
    func appendSection(_ name: [String], line: Int) -> TOMLTable? {
        guard let key = name.last, let holder = holder(of: name, line: line) else { return nil }
        let table = TOMLTable(path: holder.path(of: key), line: line)
        switch holder.entries[key] {
        case .list(let list): list.append(table)
        case nil: holder.entries[key] = .list(TOMLSectionList(table))
        default: return nil
        }
        return table
    }

    /// The table in which the last part of a section's name stands; a part that names a list means its last table.
    private func holder(of name: [String], line: Int) -> TOMLTable? {
        var table = self
        for key in name.dropLast() {
            switch table.entries[key] {
            case .table(let inner): table = inner
            case .list(let list): table = list.last
            case nil: table = table.add(.implied, key, line)
            case .value: return nil
            }
        }
        return table
    }

    /// The table of the parts in front of a setting's name; nil where one has a head of its own or a value.
    func openDotted(_ name: [String], line: Int) -> TOMLTable? {
        var table = self
        for key in name {
            switch table.entries[key] {
            case .table(let inner) where inner.origin != .written:
                inner.origin = .dotted
                table = inner
            case nil: table = table.add(.dotted, key, line)
            default: return nil
            }
        }
        return table
    }

    private func add(_ origin: Origin, _ key: String, _ line: Int) -> TOMLTable {
        let table = TOMLTable(origin, path: path(of: key), line: line)
        entries[key] = .table(table)
        return table
    }
}

/// The tables of a `[[name]]`, of which there is at least one.
final class TOMLSectionList {
    private var tables: [TOMLTable]
    /// The one that was begun last.
    fileprivate private(set) var last: TOMLTable

    fileprivate init(_ first: TOMLTable) { (tables, last) = ([first], first) }

    fileprivate func append(_ table: TOMLTable) {
        tables.append(table)
        last = table
    }

    /// The list, which stands where its first table does.
    fileprivate var node: Node {
        let nodes = tables.map(\.node)
        return Node(value: .array(nodes), path: nodes[0].path, line: nodes[0].line)
    }
}
