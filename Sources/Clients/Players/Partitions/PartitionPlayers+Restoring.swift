import Coordination
import Foundation
import LibraryIndex
import Logging
import MusicModel
import Playback
import ServerLoop
import UserLibrary

/// Starting.
extension PartitionPlayers {
    /// Brings every partition back as it was saved, or makes the default one.
    ///
    /// - Throws: `LibraryError` when the database can't be read.
    func restore() async throws {
        let names = try library.partitionNames()
        let saved = try names.map { try library.savedPlayer(of: PartitionKey($0)) }
        var wasEnabled: [String: Bool] = [:]
        for output in saved.flatMap(\.outputs) where !output.isMovedAway { wasEnabled[output.name] = output.isEnabled }
        for name in names { add(name, wasEnabled: wasEnabled) }
        let made = settings.plans.filter { !names.contains($0.name) }.map { addNew($0.name) }
        // Players learn in what is restored whether they have outputs.
        distributeOutputs(saved.map(\.outputs))
        for plan in settings.plans { bringOutputs(of: plan) }
        for (member, player) in zip(members, saved) { try await restore(member, player) }
        for member in made {
            var fresh = SavedPlayer()
            fresh.replayGainMode = settings.beginning.replayGain
            try await restore(member, fresh)
            // Its options are kept also if no client ever touches them.
            member.saver.changed()
        }
        for member in members { tellRestored(member) }
        await bringBackSongs()
    }

    private func bringOutputs(of plan: PartitionPlan) {
        guard let index = members.firstIndex(where: { $0.partition.name == plan.name }) else { return }
        for output in plan.outputs { move(output, to: index) }
    }

    /// Moves outputs where they were: first to every list that they were in, for the order of their places, then to
    /// the partition that they played for.
    private func distributeOutputs(_ saved: [[SavedOutput]]) {
        for (index, outputs) in saved.enumerated().dropFirst() {
            for output in outputs { move(output.name, to: index) }
        }
        for (index, outputs) in saved.enumerated() {
            for output in outputs where !output.isMovedAway { move(output.name, to: index) }
        }
    }

    private func move(_ name: String, to index: Int) {
        let owner = members.firstIndex {
            $0.engine.outputs.contains { $0.name == name && !$0.isMovedAway }
        }
        guard let owner, owner != index else { return }
        members[owner].engine.moveOutput(named: name, to: members[index].engine)
    }

    /// Restores queues once more whose songs were not in the index yet, after a rescue; not those that were edited.
    package func restoreAgain() async {
        for member in members where member.saver.isUntouched {
            do { try await restore(member, library.savedPlayer(of: member.partition.key)) } catch {
                log.error("The queue could not be restored: \(chain: error)")
            }
        }
    }

    private func restore(_ member: Member, _ saved: SavedPlayer) async throws {
        let key = member.partition.key
        let queue = try library.savedQueue(of: key)
        let songs = queue.entries.compactMap { entry in
            if case .song(let id) = entry.item { id } else { nil }
        }
        let known = try await library.index.queueable(songs)
        var saved = saved
        if try !library.hasSavedPlayer(of: key), member.partition === partitions.first {
            // A fresh installation takes these from the configuration; later what clients chose counts.
            saved.crossfade = settings.beginning.crossfade
            saved.replayGainMode = settings.beginning.replayGain
        }
        member.partition.player.settings.fixedOptions.apply(to: &saved)
        member.partition.player.restore(queue, saved, resume: settings.beginning.resume) { id in
            known[id].map { QueueCandidate($0) }
        }
        let departed = try await library.savedDeparted(of: key)
        if !member.partition.player.departedSongs.isEmpty { noteDeparture(at: .now) }
        let absence = Duration.seconds(max(0, Int64(Date().timeIntervalSince1970).subtractingClamped(departed.left)))
        if absence < Self.maxAbsence, !departed.entries.isEmpty {
            member.partition.player.restoreDeparted(departed.entries)
            noteDeparture(at: .now - absence)
        }
        member.saver.markSaved(departed: departed.entries)
    }
}
