import GRDB

/// The directories while a sync writes. A directory's number is its position in a walk of the tree, with gaps, so that
/// a new artist moves no other's songs; when a gap is full, everything is renumbered.
struct DirectoryTree {
    private struct Node {
        var id: Int64
        var path: String
        var number: Int64?
        var parent: Int
        var children: [Int] = []
        var hasNewChildren = false
    }

    private static let gap: Int64 = 1 << 18
    private static let maxNumber: Int64 = 1 << 40

    private let database: Database
    private var nodes: [Node] = []
    private var indices: [ExactText: Int] = [:]
    init(_ database: Database) { self.database = database }

    mutating func ensure(_ paths: Set<ExactText>) throws -> [ExactText: TreeLookup.Directory] {
        var found: [ExactText: TreeLookup.Directory] = [:]
        var missing: [ExactText] = []
        let lookup = try TreeLookup(database)
        for path in paths {
            if let directory = try lookup.directory(at: path.text) {
                found[path] = directory
            } else {
                missing.append(path)
            }
        }
        guard !missing.isEmpty else { return found }
        try load()
        for path in missing { insert(path.text) }
        try number()
        for path in paths {
            guard let position = indices[path], let number = nodes[position].number else { continue }
            found[path] = TreeLookup.Directory(id: nodes[position].id, number: number, path: path.text)
        }
        return found
    }

    // MARK: Numbers

    private mutating func load() throws {
        var indexOfID: [Int64: Int] = [:]
        try database.forEach("SELECT id, ifnull(parent, 0), path, number FROM directory ORDER BY number") { row in
            let position = nodes.count
            let parent = indexOfID[row.int(1)] ?? 0
            nodes.append(Node(id: row.int(0), path: row.text(2), number: row.int(3), parent: parent))
            indexOfID[row.int(0)] = position
            indices[ExactText(row.text(2))] = position
            if position > 0 { nodes[parent].children.append(position) }
        }
    }

    private mutating func insert(_ path: String) {
        var parent = 0
        var end = path.utf8.startIndex
        while end < path.utf8.endIndex {
            let next = path.utf8[end...].dropFirst(end == path.utf8.startIndex ? 0 : 1)
            end = next.firstIndex(of: 0x2F) ?? path.utf8.endIndex
            let prefix = String(path[..<end])
            if let position = indices[ExactText(prefix)] {
                parent = position
                continue
            }
            let position = nodes.count
            nodes.append(Node(id: 0, path: prefix, number: nil, parent: parent))
            nodes[parent].children.append(position)
            nodes[parent].hasNewChildren = true
            indices[ExactText(prefix)] = position
            parent = position
        }
    }

    private mutating func number() throws {
        let order = walk()
        var nextID = try database.nextID(in: "directory")
        let renumbersAll = !fillGaps(order)
        if renumbersAll {
            for (position, node) in order.enumerated() { nodes[node].number = Int64(position) * Self.gap }
        }
        let insertion = try SQLStatement(
            database, "INSERT INTO directory (id, parent, path, number) VALUES (?, ?, ?, ?)")
        for position in order where nodes[position].id == 0 {
            nodes[position].id = nextID
            nextID += 1
            try insertion.run(
                nodes[position].id, nodes[nodes[position].parent].id, nodes[position].path, nodes[position].number)
        }
        if renumbersAll { try rewriteNumbers() }
    }

    private mutating func walk() -> [Int] {
        for position in nodes.indices where nodes[position].hasNewChildren {
            nodes[position].children = nodes[position].children.sorted {
                Collation.precedes(nodes[$0].path, nodes[$1].path)
            }
            nodes[position].hasNewChildren = false
        }
        var order: [Int] = []
        var stack = [0]
        while let position = stack.popLast() {
            order.append(position)
            stack.append(contentsOf: nodes[position].children.reversed())
        }
        return order
    }

    /// Numbers the new directories between their neighbours; false without room, or when old ones are out of order.
    private mutating func fillGaps(_ order: [Int]) -> Bool {
        var position = 0
        var low: Int64 = -1
        while position < order.count {
            if let number = nodes[order[position]].number {
                if number <= low { return false }
                low = number
                position += 1
                continue
            }
            var end = position
            while end < order.count, nodes[order[end]].number == nil { end += 1 }
            let high = end < order.count ? nodes[order[end]].number ?? 0 : Self.maxNumber
            let step = min((high - low) / Int64(end - position + 1), Self.gap)
            if step < 1 { return false }
            for index in position..<end {
                low += step
                nodes[order[index]].number = low
            }
            position = end
        }
        return true
    }

    private func rewriteNumbers() throws {
        let update = try SQLStatement(database, "UPDATE directory SET number = ? WHERE id = ?")
        for node in nodes { try update.run(node.number, node.id) }
        try database.run(
            """
            UPDATE song SET walk = (SELECT number FROM directory d WHERE d.id = song.directory) << \(Schema.positionBits)
                | (walk & \((1 << Schema.positionBits) - 1)) WHERE walk IS NOT NULL
            """)
    }

    // MARK: Cleaning up

    /// Removes the directories of `ids` that are empty, and their parents that become so; returns those that stay.
    func prune(_ ids: Set<Int64>) throws -> Set<Int64> {
        var staying: Set<Int64> = []
        let row = try SQLStatement(
            database,
            """
            SELECT parent, EXISTS (SELECT 1 FROM song WHERE walk >= number << \(Schema.positionBits)
                AND walk < (number + 1) << \(Schema.positionBits))
                OR EXISTS (SELECT 1 FROM directory c WHERE c.parent = d.id)
                OR EXISTS (SELECT 1 FROM playlist_file p WHERE p.parent = d.path)
            FROM directory d WHERE d.id = ?
            """)
        let deletion = try SQLStatement(database, "DELETE FROM directory WHERE id = ?")
        for id in ids {
            var next: Int64? = id
            while let current = next {
                next = nil
                guard let (parent, isUsed) = try row.first(current, read: { ($0.optionalInt(0), $0.int(1) != 0) })
                else { break }
                guard !isUsed, let parent else {
                    staying.insert(current)
                    break
                }
                staying.remove(current)
                try deletion.run(current)
                next = parent
            }
        }
        return staying
    }

    /// Dates these directories and those above them by the newest song or playlist inside.
    func date(_ ids: Set<Int64>) throws {
        var levels: [Int64: Int] = [:]
        let parentRow = try SQLStatement(database, "SELECT parent, length(path) FROM directory WHERE id = ?")
        for id in ids {
            var next: Int64? = id
            while let current = next, levels[current] == nil {
                guard let (parent, length) = try parentRow.first(current, read: { ($0.optionalInt(0), $0.int(1)) })
                else { break }
                levels[current] = Int(length)
                next = parent
            }
        }
        let update = try SQLStatement(
            database,
            """
            UPDATE directory AS d SET modified = (SELECT max(modified) FROM (
                SELECT max(modified) AS modified FROM song WHERE walk >= d.number << \(Schema.positionBits)
                    AND walk < (d.number + 1) << \(Schema.positionBits)
                UNION ALL SELECT max(c.modified) FROM directory c WHERE c.parent = d.id
                UNION ALL SELECT max(p.modified) FROM playlist_file p WHERE p.parent = d.path))
            WHERE d.id = ?
            """)
        // A longer path comes before the paths that it starts with.
        for id in levels.keys.sorted(by: { levels[$0, default: 0] > levels[$1, default: 0] }) { try update.run(id) }
    }
}
