// Much music at once: a question before a whole library goes into the queue, and lists of albums and songs.
import { get, mpd } from "../js/api.js";
import { attempt, enqueue, tell } from "../js/store.js";
import { t } from "../js/texts.js";
import { confirmed } from "./sheets.js";

/** @typedef {"play" | "next" | "end" | "replace"} How */
/** @typedef {{[name: string]: string | number | null | undefined}} Values */

/** More songs than these are queued only after a question. */
const MUCH = 1000;
/** So many rows come by one request. */
const PART = 1000;
/** So many songs go into the queue by one request. */
const LIMIT = 10000;
/** So many albums are asked for their songs at the same time. */
const AT_ONCE = 4;

/** The words of the button that goes on, which are those of the tap. @type {{[how in How]: string}} */
const GOES_ON = { play: "menu.play", next: "menu.playNext", end: "menu.add", replace: "menu.play" };

/**
 * Asks before so many songs go into the queue.
 * @param {number} count @param {How} how @param {boolean} [isShuffled]
 * @returns {Promise<boolean>}
 */
const isMeant = async (count, how, isShuffled = false) =>
  count <= MUCH || await confirmed(t("count.songs", { n: count }), t(how === "replace" ? "queue.muchInstead" : "queue.much"),
    t(isShuffled ? "menu.shuffle" : GOES_ON[how]));

/** How many songs an artist, a genre or a folder has. @param {{[name: string]: any}} what @returns {Promise<number>} */
async function countOf({ artist, genre, folder }) {
  if (folder === undefined) return (await get("/api/songs", { artist, genre, count: 1 })).total;
  const path = folder.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  const { answers } = await mpd([["count", `(base "${path}")`]]);
  return Number(answers[0]?.find(([key]) => key === "songs")?.[1] ?? 0);
}

/**
 * Whether an artist, a genre or a folder should go into the queue, however many songs that are.
 * @param {{[name: string]: any}} what as `POST /api/queue` names it
 * @param {How} how
 */
export async function isWanted(what, how) {
  const count = await attempt(() => countOf(what));
  return count !== undefined && await isMeant(count, how);
}

/** Reads all rows of a list, window by window. @param {string} path @param {Values} values @returns {Promise<any[]>} */
async function readAll(path, values) {
  /** @type {any[]} */
  const rows = [];
  for (let total = 1; rows.length < total;) {
    const answer = await get(path, { ...values, start: rows.length, count: PART });
    if (answer.items.length === 0) break;
    rows.push(...answer.items);
    total = answer.total;
  }
  return rows;
}

/** The songs of albums, in their order. @param {any[]} albums @returns {Promise<any[]>} */
async function songsOf(albums) {
  /** @type {any[][]} */
  const parts = [];
  for (let at = 0; at < albums.length; at += AT_ONCE) {
    const some = albums.slice(at, at + AT_ONCE);
    const answers = await Promise.all(some.map(({ id }) => get(`/api/albums/${encodeURIComponent(id)}`)));
    parts.push(...answers.map(({ items }) => items));
  }
  return parts.flat();
}

/** @param {any[]} items in their order; every order becomes as likely as any other */
function shuffled(items) {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [items[last], items[other]] = [items[other], items[last]];
  }
  return items;
}

/**
 * The songs of a list of albums or songs, once it is sure that so many are meant.
 * @param {string} view
 * @param {Values} values the question that the list answers
 * @param {How} how
 * @param {boolean} isShuffled
 * @returns {Promise<any[] | undefined>} undefined where they are not meant
 */
async function songsOfList(view, values, how, isShuffled) {
  if (view !== "albums") {
    const { total } = await get("/api/songs", { ...values, count: 1 });
    return await isMeant(total, how, isShuffled) ? await readAll("/api/songs", values) : undefined;
  }
  const albums = await readAll("/api/albums", values);
  if (!await isMeant(albums.reduce((sum, { songs }) => sum + songs, 0), how, isShuffled)) return undefined;
  const songs = await songsOf(albums);
  // An album may have songs of other genres beside those that are looked at.
  return values.genre ? songs.filter(({ genres }) => genres?.includes(values.genre)) : songs;
}

/**
 * Puts a list of albums or songs into the queue, in its order or shuffled.
 * @param {string} view
 * @param {Values} values
 * @param {How} how
 * @param {boolean} isShuffled
 */
export async function enqueueList(view, values, how, isShuffled) {
  const found = await attempt(async () => ({ songs: await songsOfList(view, values, how, isShuffled) }));
  if (!found?.songs) return;
  const ids = found.songs.map(({ id }) => id).filter(Boolean);
  if (ids.length === 0) return tell(t("browse.nothing"));
  const songs = isShuffled ? shuffled(ids) : ids;
  await enqueue(Array.from({ length: Math.ceil(songs.length / LIMIT) }, (_, part) => (
    { songs: songs.slice(part * LIMIT, (part + 1) * LIMIT) })), how);
}
