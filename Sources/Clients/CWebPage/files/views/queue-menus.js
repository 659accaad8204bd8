// The menus of the queue and of its entries, fetched once somebody opens one.
import { get, mpd, post, remove } from "../js/api.js";
import { ask, openSheet, toPlaylist } from "../js/parts.js";
import { link } from "../js/router.js";
import { attempt, mark, marksOf, queue, takingBack, tell } from "../js/store.js";
import { t } from "../js/texts.js";
import { afterCurrent, shuffle } from "./queue-source.js";
import { ADDRESS } from "./sheets.js";

/** @typedef {import("../js/store.js").Song} Song */

/** So many entries are preferred by one request, which a busy server answers in time. */
const AT_ONCE = 2500;

/**
 * Some of MPD's priorities, which go from 0 to 255: at random, songs with a higher one come first.
 * @type {[string, number][]}
 */
const PRIORITIES = [["first", 255], ["high", 100], ["some", 10], ["none", 0]];

/** @param {Song[]} songs @param {number} priority */
const prefer = (songs, priority) => attempt(async () => {
  for (let at = 0; at < songs.length; at += AT_ONCE) {
    await mpd(songs.slice(at, at + AT_ONCE).map(({ queueId }) => ["prioid", String(priority), queueId ?? ""]));
  }
});

/** @param {Song[]} songs */
export const priorityMenu = (songs) =>
  openSheet({
    title: t("queue.priority"), sub: songs.length === 1 ? songs[0].title : t("count.songs", { n: songs.length }),
    items: PRIORITIES.map(([name, value]) => ({
      icon: songs.every(({ priority = 0 }) => priority === value) ? "check" : "shuffle",
      label: t(`queue.priority.${name}`, { value: String(value) }), needs: "player", run: () => prefer(songs, value),
    })),
  });

/** So many rows come by one request. */
const PART = 1000;

/**
 * The addresses of selected entries. Of those that were never in sight only ids and places are known, so that their rows
 * are read; entries that left the queue meanwhile are left out.
 * @param {Song[]} songs in the order of the queue
 * @returns {Promise<string[]>}
 */
export async function addressesOf(songs) {
  const uris = new Map(songs.map((song) => [song.queueId, song.uri]));
  const missing = new Set(songs.filter((song) => !song.uri).map((song) => song.queueId));
  const read = async (/** @type {number} */ start) => {
    const answer = await get("/api/queue", { start, count: PART });
    for (const each of answer.items) if (missing.delete(each.queueId)) uris.set(each.queueId, each.uri);
    return answer.length;
  };
  let end = 0;
  for (const { queueId, position = 0 } of songs) {
    if (!missing.has(queueId) || position < end) continue;
    await read(position);
    end = position + PART;
  }
  // Entries that have moved since they were selected stand elsewhere.
  for (let [at, length] = [0, 1]; missing.size > 0 && at < length; at += PART) length = await read(at);
  return [...uris.values()].filter(Boolean);
}

/** @param {Song} song @param {{moveSongs: (songs: Song[], to: number) => Promise<void>, removeSongs: (songs: Song[]) => Promise<void>}} does */
export function entryMenu(song, does) {
  const at = song.position ?? 0;
  const move = (/** @type {number} */ to) => () => does.moveSongs([song], to);
  const starred = marksOf("songs", song).starred;
  openSheet({
    title: song.title, sub: song.artist, cover: song.cover,
    items: [
      { icon: "after", label: t("queue.afterCurrent"), needs: "player", run: move(afterCurrent(song)) },
      { icon: "up", label: t("queue.up"), needs: "player", run: move(at - 1) },
      { icon: "down", label: t("queue.down"), needs: "player", run: move(at + 1) },
      { icon: "top", label: t("queue.top"), needs: "player", run: move(0) },
      { icon: "shuffle", label: t("queue.priority"), needs: "player", run: () => priorityMenu([song]) },
      { icon: "trash", label: t("queue.remove"), needs: "player", danger: true, run: () => does.removeSongs([song]) },
      ...(song.id ? [{ icon: starred ? "starred" : "star", label: t(starred ? "menu.unstar" : "menu.star"), needs: "control",
        run: () => mark("songs", /** @type {string} */ (song.id), { starred: !starred }) }] : []),
      { icon: "playlist", label: t("menu.toPlaylist"), needs: "control", run: () => toPlaylist([song.uri]) },
      ...(song.albumId ? [{ icon: "album", label: t("menu.goAlbum"), run: () => location.hash = link("album", song.albumId) }] : []),
      ...(song.artistId ? [{ icon: "artist", label: t("menu.goArtist"), run: () => location.hash = link("artist", song.artistId) }] : []),
    ],
  });
}

async function save() {
  const name = await ask({ title: t("queue.save"), label: t("playlists.name"), ok: t("playlists.create") });
  if (name && await attempt(() => mpd([["save", name]]))) tell(t("notice.saved", { name }));
}

async function clear() {
  const count = queue.peek().length;
  const answer = await attempt(() => remove("/api/queue", { all: true }));
  if (answer) tell(t("notice.removed", { n: count }), takingBack(answer.undo));
}

/** @param {() => void} select */
export const queueMenu = (select) =>
  openSheet({
    title: t("nav.queue"),
    items: [
      { icon: "select", label: t("queue.select"), run: select },
      { icon: "shuffle", label: t("queue.shuffle"), needs: "player", run: shuffle },
      { icon: "playlist", label: t("queue.save"), needs: "control", run: save },
      { icon: "plus", label: t("queue.addAddress"), needs: "add", run: async () => {
        const uri = await ask({ title: t("queue.addAddress"), label: t("queue.address"), ok: t("menu.add"), ...ADDRESS() });
        if (uri) attempt(() => post("/api/queue", { uris: [uri], position: "end" }));
      } },
      { icon: "trash", label: t("queue.clear"), needs: "player", danger: true, run: clear },
    ],
  });
