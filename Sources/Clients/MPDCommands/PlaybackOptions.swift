import MPDProtocol
import MusicModel
import Playback
import ServerLoop

extension Command {
    static let consume = Command("consume", .player, 1...1, "{STATE}", since: "0.15") { arguments in
        let option = try arguments.oneshot("consume")
        return .immediate { context, _ in
            try context.refuse(option, unlessFixedAt: \.consume, "consume")
            context.player.setConsume(option)
        }
    }

    static let crossfade = Command("crossfade", .player, 1...1, "{SECONDS}", since: "before 0.12") { arguments in
        let seconds = try arguments.unsigned()
        return .immediate { context, _ in context.player.setCrossfade(seconds) }
    }

    static let getVol = immediate("getvol", .read, since: "0.23") { context, response in
        response.line("volume: ", context.player.status.volume)
    }

    static let mixRampDB = Command("mixrampdb", .player, 1...1, "{deciBels}", since: "0.16") { arguments in
        let decibels = try arguments.float()
        return .immediate { context, _ in context.player.setMixRampThreshold(decibels) }
    }

    /// Sets the extra overlap that MixRamp takes away; `nan` switches MixRamp off.
    static let mixRampDelay = Command("mixrampdelay", .player, 1...1, "{SECONDS}", since: "0.16") { arguments in
        let seconds = arguments.peek?.lowercased() == "nan" ? nil : try arguments.float()
        return .immediate { context, _ in context.player.setMixRampDelay(seconds) }
    }

    static let random = Command("random", .player, 1...1, "{STATE}", since: "before 0.12") { arguments in
        let isOn = try arguments.boolean()
        return .suspending { context, _ in
            try context.refuse(isOn, unlessFixedAt: \.isRandom, "random")
            try await context.player.edit(.all()) { $0.setRandom(isOn) }
        }
    }

    static let `repeat` = Command("repeat", .player, 1...1, "{STATE}", since: "before 0.12") { arguments in
        let isOn = try arguments.boolean()
        return .immediate { context, _ in
            try context.refuse(isOn, unlessFixedAt: \.isRepeating, "repeat")
            context.player.setRepeat(isOn)
        }
    }

    static let replayGainMode = Command("replay_gain_mode", .player, 1...1, "{MODE}", since: "0.16") { arguments in
        guard let mode = ReplayGainMode(rawValue: try arguments.string()) else {
            throw AckError(.argument, "Unrecognized replay gain mode")
        }
        return .immediate { context, _ in context.player.setReplayGainMode(mode) }
    }

    static let replayGainStatus = immediate("replay_gain_status", .read, since: "0.16") { context, response in
        response.line("replay_gain_mode: ", context.player.replayGainMode.rawValue)
    }

    static let setVol = Command("setvol", .player, 1...1, "{VOL}", since: "before 0.12") { arguments in
        let volume = try arguments.unsigned(maximum: 100)
        return .immediate { context, _ in context.player.setVolume(volume) }
    }

    static let single = Command("single", .player, 1...1, "{STATE}", since: "0.15") { arguments in
        let option = try arguments.oneshot("single")
        return .immediate { context, _ in
            try context.refuse(option, unlessFixedAt: \.single, "single")
            context.player.setSingle(option)
        }
    }

    /// Pauses after some minutes, 0 for never; without an argument it says how many seconds are left. Ours.
    static let sleepTimer = Command("sleeptimer", .player, 0...1, "[MINUTES]") { arguments in
        let text = arguments.peek
        let minutes = text == nil ? nil : try arguments.float()
        if let minutes, let text, !(0...1440).contains(minutes) {
            throw AckError.badArgument("Number from 0 to 1440 expected", text)
        }
        return .immediate { context, response in
            if let minutes {
                context.player.setSleepTimer(after: minutes == 0 ? nil : .seconds(minutes * 60))
            } else if let rest = context.player.status.sleepsIn {
                response.line("sleep: ", rest)
            }
        }
    }

    /// Sets how fast songs play at the same pitch; without an argument it says how fast they do. Ours.
    static let speed = Command("speed", .player, 0...1, "[FACTOR]") { arguments in
        let text = arguments.peek
        let speed = text == nil ? nil : try arguments.float()
        if let speed, let text, !Player.speeds.contains(speed) {
            throw AckError.badArgument("Number from 0.5 to 3 expected", text)
        }
        return .immediate { context, response in
            if let speed {
                context.player.setSpeed(speed)
            } else {
                response.line("speed: ", decimal: context.player.status.speed)
            }
        }
    }

    static let volume = Command("volume", .player, 1...1, "{CHANGE}", since: "before 0.12") { arguments in
        let change = try arguments.integer(in: -100...100)
        return .immediate { context, _ in
            let volume = context.player.status.volume
            context.player.setVolume(min(100, max(0, volume + change)))
        }
    }
}

extension CommandContext {
    /// Refuses a value that differs from the one that the configuration fixes for the client's partition.
    @ServerActor
    func refuse<Value: Equatable>(
        _ value: Value, unlessFixedAt path: KeyPath<FixedOptions, Value?>, _ option: String
    ) throws(AckError) {
        guard let fixed = player.settings.fixedOptions[keyPath: path], fixed != value else { return }
        throw AckError(.permission, "\(option) is fixed in the configuration of this partition")
    }
}
