// What the server last said, and what a tap changes: shown at once, and taken back with the reason when it is refused.
import { get, partition, post, put, Refusal } from "./api.js";
import { computed, signal } from "./signals.js";
import { keepSocket } from "./socket.js";
import { t } from "./texts.js";

/**
 * @typedef {{id: string | null, queueId?: string, position?: number, priority?: number, uri: string, title: string,
 *   artist: string, artists?: string[], album: string | null, albumId: string | null, albumArtist?: string | null,
 *   artistId: string | null, track: number | null, disc: number | null, year: number | null, genres: string[],
 *   duration: number | null, starred: boolean, rating: number | null, cover: string | null, stream: boolean}} Song
 * @typedef {{id: string, title: string, artist: string, artistId: string | null, year: number | null, songs: number,
 *   duration: number, starred: boolean, rating: number | null, cover: string | null, added: string | null}} Album
 * @typedef {{id: string, name: string, albums: number, songs: number, cover: string | null, starred: boolean}} Artist
 * @typedef {{id: string, name: string, uri: string, picture: string | null, country: string | null,
 *   genre: string | null}} Station
 * @typedef {{id: string, name: string, type: string, enabled: boolean, volume: number | null,
 *   partition: string, attributes: {[key: string]: string}, listen: string | null, mime?: string | null, problem?: string | null}} Output
 * @typedef {{state: "play" | "pause" | "stop", buffering?: boolean, converted?: boolean, elapsed: number, duration: number | null, bitrate: number | null,
 *   format: string | null, error: string | null, at: number}} Player
 * @typedef {{repeat: boolean, random: boolean, single: string, consume: string, crossfade: number,
 *   replayGain: string, speed: number, sleepsIn: number | null}} Options
 * @typedef {{text: string, isError?: boolean, action?: {label: string, run: () => void}}} Notice
 */

/** The connection to Segue itself: `opening`, `open`, `locked` until somebody signs in, or `lost` with the time since when. */
export const link = signal({ state: "opening", since: Date.now() });
export const server = signal({ name: "Segue", version: "", page: "", demo: false, requests: false });
export const partitions = signal(["default"]);
export const permissions = signal(/** @type {string[]} */ ([]));
export const session = signal({ signedIn: false, passwords: false });
export const player = signal(
  /** @type {Player} */ ({ state: "stop", elapsed: 0, duration: null, bitrate: null, format: null, error: null, at: 0 }),
);
export const song = signal(/** @type {Song | null} */ (null));
export const next = signal(/** @type {Song | null} */ (null));
export const options = signal(
  /** @type {Options} */ ({
    repeat: false, random: false, single: "off", consume: "off", crossfade: 0, replayGain: "off", speed: 1, sleepsIn: null,
  }),
);
export const volume = signal(/** @type {number | null} */ (null));
export const queue = signal(
  /** @type {{version: number, length: number, position: number | null, duration: number | null, remaining: number | null}} */ ({
    version: -1, length: 0, position: null, duration: null, remaining: null,
  }),
);
/** The outputs of all partitions, and those of the one that this page steers. */
export const outputs = signal(/** @type {Output[]} */ ([]));
export const ownOutputs = computed(() => outputs.value.filter((one) => one.partition === (partition.value ?? partitions.value[0])));
export const connection = signal({ state: "checking", sentence: "" });
export const sync = signal({ phase: /** @type {string | null} */ (null), done: 0, total: 0 });
export const waiting = signal(/** @type {{plays: number, edits: number, songs: string[], albums: string[], artists: string[], playlists: string[]}} */ (
  { plays: 0, edits: 0, songs: [], albums: [], artists: [], playlists: [] }));

/**
 * Whether an edit waits for the library's server: of a song or an album by its id, of anything else by its name.
 * @param {"songs" | "albums" | "artists" | "playlists"} kind
 * @param {string | null | undefined} key
 */
export const waits = (kind, key) => waiting.value[kind].includes(key ?? "");
export const library = signal({ generation: 0, songs: 0, albums: 0, artists: 0 });
/** Counts up when stored playlists changed. */
export const playlists = signal(0);
/** Whether anything was heard from the server in this visit. */
export const isReady = signal(false);
/** When what is shown was told, in milliseconds since 1970, while nothing was heard in this visit. */
export const asOf = signal(/** @type {number | null} */ (null));
export const notice = signal(/** @type {Notice | null} */ (null));
/** Stars and ratings that changed after songs, albums and artists were read, by kind and id. */
export const marks = signal(/** @type {Map<string, {starred?: boolean, rating?: number | null}>} */ (new Map()));

/** Counts up when stars or ratings were given elsewhere, so that lists read them anew. */
export const marksElsewhere = signal(0);
let ownMark = -Infinity;
/** Takes note of stars that are given here, whose echo tells nothing new. */
export const noteOwnMarks = () => ownMark = performance.now();

/** How the library's server is. Folders alone need none, which is no fault. */
export const serverState = () =>
  connection.value.state === "not_configured" && library.value.songs > 0 ? "local" : connection.value.state;

/** @param {string} text @param {Notice["action"]} [action] */
export function tell(text, action) {
  notice.value = { text, action };
}

/** @param {unknown} error */
export function complain(error) {
  const isRefused = error instanceof Refusal;
  notice.value = { text: isRefused ? error.message : t("error.unreachable"), isError: true };
}

/** @param {string} permission @returns {boolean} */
export const may = (permission) => permissions.value.includes(permission);

/** Whether the place in the song moves: it plays, and is heard. */
export const runs = () => player.peek().state === "play" && !player.peek().buffering;

/** The place in the song now, in seconds; counted here, since the server only tells when it jumps. */
export function elapsed() {
  const { elapsed: last, duration, at } = player.peek();
  const now = runs() ? last + (performance.now() - at) / 1000 : last;
  return Math.max(0, duration ? Math.min(now, duration) : now);
}

/** @param {any} data */
function takePlayer(data) {
  if (data.player) player.value = { ...data.player, at: performance.now() };
  if ("song" in data) song.value = data.song;
  if ("next" in data) next.value = data.next;
  if (data.queue) queue.value = { ...queue.peek(), ...data.queue };
}

/** @param {any} data */
function takeStatus(data) {
  server.value = data.server;
  partitions.value = data.partitions ?? ["default"];
  permissions.value = data.permissions ?? [];
  session.value = { signedIn: !!data.session, passwords: !!data.passwords };
  takePlayer(data);
  options.value = data.options;
  volume.value = data.volume;
  outputs.value = data.outputs ?? [];
  connection.value = data.connection ?? connection.peek();
  sync.value = data.sync ?? sync.peek();
  waiting.value = data.waiting ?? waiting.peek();
  library.value = data.library ?? library.peek();
  isReady.value = true;
}

/** Who else wants to know, by the message's type. @type {Map<string, Set<(data: any) => void>>} */
const listeners = new Map();

/**
 * Calls `work` for each message of a type; returns what ends that.
 * @param {string} type
 * @param {(data: any) => void} work
 */
export function on(type, work) {
  const found = listeners.get(type) ?? new Set();
  listeners.set(type, found.add(work));
  return () => found.delete(work);
}

/** @type {{[type: string]: (data: any) => void}} */
const takers = {
  status: takeStatus,
  player: takePlayer,
  queue: (data) => queue.value = { ...queue.peek(), ...data },
  options: (data) => options.value = data,
  mixer: (data) => volume.value = data.volume,
  outputs: (data) => outputs.value = data,
  library: (data) => library.value = { ...library.peek(), ...data },
  playlists: () => playlists.value++,
  marks: (data) => {
    // The echo of a star that was given here tells nothing new.
    if (performance.now() - ownMark < 3000) return;
    if (data.songs && data.songs.length <= 5) {
      // A star or two that were given elsewhere need no list to be read anew.
      for (const id of data.songs) {
        get(`/api/songs/${id}`).then(({ starred, rating }) => marks.value = new Map(marks.peek()).set(`songs/${id}`, { starred, rating }), () => {});
      }
      return;
    }
    marks.value = new Map();
    marksElsewhere.value++;
    get("/api/status").then((status) => takePlayer({ song: status.song, next: status.next }), () => {});
  },
  partitions: (data) => {
    if (Array.isArray(data)) partitions.value = data;
    else if (Array.isArray(data?.partitions)) partitions.value = data.partitions;
  },
  renamed: (data) => takeName(data.name),
  sync: (data) => sync.value = data,
  connection: (data) => connection.value = data,
  waiting: (data) => waiting.value = data,
};

/** @param {any} message */
export function take(message) {
  takers[message.type]?.(message.data);
  listeners.get(message.type)?.forEach((work) => work(message.data));
}

let socket = { again: () => {}, rest: () => {} };

/** Connects, and stays connected. */
export function follow() {
  const path = () => {
    const chosen = partition.peek();
    return chosen ? `/api/socket?partition=${encodeURIComponent(chosen)}` : "/api/socket";
  };
  socket = keepSocket(path, take, (isOpen) => {
    const now = link.peek();
    if (isOpen) link.value = { state: "open", since: Date.now() };
    else if (now.state !== "lost") link.value = { state: "lost", since: Date.now() };
    // Each attempt that failed: the server may have come back, and ask for a password now.
    if (!isOpen) listeners.get("lost")?.forEach((work) => work(null));
    // What was read before may have changed meanwhile, or not have come at all.
    else if (now.state === "lost") listeners.get("found")?.forEach((work) => work(null));
  });
}

/** Connects anew at once, as after signing in. */
export function reconnect() {
  if (link.peek().state === "locked") link.value = { state: "opening", since: Date.now() };
  socket.again();
}

/** Waits until somebody signs in: the server is there, and lets nobody look without a password. */
export function lock() {
  socket.rest();
  link.value = { state: "locked", since: Date.now() };
}

/** A player's name as people read it: that of the first one is MPD's. @param {string} name */
export const shownPlayer = (name) => (name === "default" ? t("rooms.main") : name);

/** @param {string | null} name null is the one that the server chooses */
export function choosePartition(name) {
  keepPartition(name);
  reconnect();
}

/** @param {string | null} name */
function keepPartition(name) {
  partition.value = name;
  if (name === null) localStorage.removeItem("partition");
  else localStorage.setItem("partition", name);
}

/** The partition that this page steers has another name; the connection stays. @param {string} name */
export function takeName(name) {
  const old = partition.peek();
  if (old === null || old === name) return;
  outputs.value = outputs.peek().map((one) => (one.partition === old ? { ...one, partition: name } : one));
  partitions.value = partitions.peek().map((one) => (one === old ? name : one));
  keepPartition(name);
}

/**
 * Shows a change at once, asks for it, and takes it back with the reason when it is refused.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {() => (() => void) | void} [show] changes what is shown; returns what takes that back
 * @returns {Promise<T | undefined>} undefined when it was refused
 */
export async function attempt(ask, show) {
  const undo = show?.();
  try {
    return await ask();
  } catch (error) {
    undo?.();
    complain(error);
    return undefined;
  }
}

/**
 * @template T
 * @param {import("./signals.js").Signal<T>} held
 * @param {T} value
 * @returns {() => void}
 */
function showing(held, value) {
  const before = held.peek();
  held.value = value;
  return () => {
    if (held.peek() === value) held.value = before;
  };
}

/** @param {"play" | "pause" | "stop"} state */
const showState = (state) => () =>
  showing(player, { ...player.peek(), state, elapsed: state === "stop" ? 0 : elapsed(), at: performance.now() });

export const actions = {
  toggle: () =>
    player.peek().state === "play"
      ? attempt(() => post("/api/player/pause"), showState("pause"))
      : attempt(() => post("/api/player/play"), showState("play")),
  next: () =>
    attempt(() => post("/api/player/next"), () => {
      const upcoming = next.peek();
      return upcoming ? showing(song, upcoming) : undefined;
    }),
  previous: () => attempt(() => post("/api/player/previous")),
  stop: () => attempt(() => post("/api/player/stop"), showState("stop")),
  /** @param {number} to seconds */
  seek: (to) =>
    attempt(
      () => post("/api/player/seek", { to }),
      () => showing(player, { ...player.peek(), elapsed: to, at: performance.now() }),
    ),
  /** @param {number} seconds */
  skip: (seconds) => actions.seek(Math.max(0, elapsed() + seconds)),
  /** @param {number} to 0 to 100 */
  volume: (to) => {
    const wanted = Math.max(0, Math.min(100, Math.round(to)));
    return attempt(() => post("/api/player/volume", { to: wanted }), () => showing(volume, wanted));
  },
  /** @param {Partial<Options>} changes */
  options: (changes) =>
    attempt(() => post("/api/player/options", changes), () => showing(options, { ...options.peek(), ...changes })),
  /** @param {string} queueId */
  playEntry: (queueId) => attempt(() => post("/api/player/play", { queueId }), showState("play")),
};

/**
 * Stars, or takes the star away.
 * @param {"songs" | "albums" | "artists"} kind
 * @param {string} id
 * @param {{starred?: boolean, rating?: number | null}} change one of them
 */
export function mark(kind, id, change) {
  const key = `${kind}/${id}`;
  noteOwnMarks();
  const path = `/api/${kind}/${encodeURIComponent(id)}/${"starred" in change ? "star" : "rating"}`;
  return attempt(() => put(path, change), () => {
    const before = marks.peek();
    marks.value = new Map(before).set(key, { ...before.get(key), ...change });
    return () => marks.value = before;
  });
}

/**
 * Stars and rating as they are now: what was changed here, or else what was read.
 * @param {"songs" | "albums" | "artists"} kind
 * @param {{id: string | null, starred?: boolean, rating?: number | null}} item
 * @returns {{starred: boolean, rating: number | null}}
 */
export function marksOf(kind, item) {
  const own = { starred: !!item.starred, rating: item.rating ?? null };
  return { ...own, ...marks.value.get(`${kind}/${item.id}`) };
}

/** @type {(what: {[name: string]: any}, how: "play" | "next" | "end" | "replace") => Promise<boolean | undefined>} */
let isWanted = () => Promise.resolve(true);
/** Says what asks before a whole library may go into the queue. @param {typeof isWanted} ask */
export const askBefore = (ask) => void (isWanted = ask);

/**
 * Puts music into the queue: `what` names it as `POST /api/queue` does; several parts follow each other, and leave as
 * one. Where that may be a whole library, a question comes first.
 * @param {{[name: string]: any} | {[name: string]: any}[]} what
 * @param {"play" | "next" | "end" | "replace"} how
 * @param {string} [name] of what was chosen by chance
 */
export async function enqueue(what, how, name) {
  const placement = how === "replace"
    ? { replace: true, play: true }
    : how === "play"
    ? { position: "next", play: true }
    : { position: how };
  if (("genre" in what || "artist" in what || "folder" in what) && !await attempt(() => isWanted(what, how))) return;
  const done = await attempt(async () => {
    const edits = /** @type {string[]} */ ([]);
    let n = 0;
    for (const part of [what].flat()) {
      const { added, undo } = await post("/api/queue", { ...part, ...(n > 0 ? { position: "end" } : placement), undo: edits.at(-1) });
      if (undo && undo !== edits.at(-1)) edits.push(undo);
      n += added;
    }
    return { n, edits };
  });
  if (!done) return;
  const text = t(how === "next" ? "notice.addedNext" : how === "end" ? "notice.added" : "notice.playing", { n: done.n });
  tell(name ? `${name} · ${text}` : text, takingBack(...done.edits));
}

/**
 * What takes edits of the queue back, as answers name them; the server keeps it as it was for two minutes.
 * @param {...(string | null | undefined)} edits
 * @returns {Notice["action"]}
 */
export const takingBack = (...edits) =>
  !may("player") || edits.length === 0 || edits.some((each) => !each) ? undefined : { label: t("menu.undo"), run: () => void attempt(async () => {
    for (const undo of edits.toReversed()) await post("/api/queue/undo", { undo });
  }) };

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    tell(t("notice.copied"));
  } catch {
    tell(t("notice.notCopied"));
  }
}

/**
 * What a tap on a song or station does, as the settings of this browser say; a guest's adds what it may not play.
 * @returns {"play" | "next" | "end"}
 */
export const tapMeans = () => {
  const chosen = localStorage.getItem("tap");
  return chosen === "next" || chosen === "end" ? chosen : may("player") ? "play" : "end";
};
