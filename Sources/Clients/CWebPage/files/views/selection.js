// Songs of a list that are selected: by a long press, Shift, Ctrl, keys or a button; and what is done with all of them.
import { get, put } from "../js/api.js";
import { h } from "../js/dom.js";
import { longPress } from "../js/gestures.js";
import { icon, iconButton, needs, toPlaylist } from "../js/parts.js";
import { effect, signal } from "../js/signals.js";
import { attempt, enqueue, marks, noteOwnMarks, tell } from "../js/store.js";
import { t } from "../js/texts.js";

/** @typedef {import("../js/store.js").Song} Song */
/** @typedef {ReturnType<typeof selecting>} Selecting */

/** Longer lists are not read as a whole to be selected. */
const MOST = 5000;
const WINDOW = 1000;
/** So many songs get a star by one request. */
const STARS = 1000;

/**
 * The selection, by key.
 * @param {(index: number) => any} get_ the item in a place; undefined while it isn't known
 * @param {(item: any, index: number) => string | null | undefined} key what tells an item from others
 * @param {(from?: number, to?: number) => Promise<any[] | undefined> | any[]} read the items from one place to
 *   another, or all of them; undefined where they can't be had, which was said then
 */
export function selecting(get_, key, read) {
  const selection = signal(/** @type {Map<string, any> | null} */ (null));
  let anchor = 0;
  const add = (/** @type {Map<string, any>} */ chosen, /** @type {any[]} */ items, first = 0) => {
    items.forEach((item, at) => {
      const name = item && key(item, first + at);
      if (name) chosen.set(name, { ...item, at: first + at });
    });
    selection.value = chosen;
  };
  const range = async (/** @type {number} */ from, /** @type {number} */ to) => {
    let items = Array.from({ length: to - from + 1 }, (_, index) => get_(from + index));
    // Rows that were never in sight belong to it as well.
    if (items.includes(undefined)) items = await read(from, to) ?? [];
    if (items.length > 0) add(new Map(selection.peek() ?? []), items, from);
  };
  const toggle = (/** @type {number} */ index, isRange = false) => {
    const from = anchor;
    anchor = index;
    if (isRange) return void range(Math.min(from, index), Math.max(from, index));
    const chosen = new Map(selection.peek() ?? []);
    const item = get_(index);
    const name = item && key(item, index);
    if (name && chosen.delete(name)) selection.value = chosen;
    else add(chosen, [item], index);
  };
  const all = async () => {
    const items = await read();
    if (items) add(new Map(), items);
  };
  return { selection, toggle, all, key, begin: () => selection.value = new Map(), end: () => selection.value = null };
}

/**
 * Lets the rows of a list be selected.
 * @param {HTMLElement} element whose rows are `.cell` with `data-index`
 * @param {Selecting} held
 * @param {(event: KeyboardEvent, index: number) => boolean} [more] further keys; whether one was known
 */
export function selectable(element, held, more = () => false) {
  const { selection, toggle } = held;
  const rowOf = (/** @type {Event} */ event) => {
    const row = /** @type {HTMLElement} */ (event.target).closest(".cell");
    return row instanceof HTMLElement ? Number(row.dataset.index) : -1;
  };
  // The click with which a long press ends is none.
  let wasLong = false;
  element.addEventListener("pointerdown", () => wasLong = false, true);
  longPress(element, (index) => {
    wasLong = true;
    toggle(index);
  });
  element.addEventListener("click", (event) => {
    if (wasLong) return;
    const index = rowOf(event);
    const isMain = !!(/** @type {HTMLElement} */ (event.target).closest("[data-main]"));
    const hasKey = event.shiftKey || event.ctrlKey || event.metaKey;
    if (index < 0 || !(hasKey || (selection.peek() && isMain))) return;
    event.stopPropagation();
    event.preventDefault();
    toggle(index, event.shiftKey);
  }, true);
  element.addEventListener("keydown", (event) => {
    const index = rowOf(event);
    if (index < 0) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "a") held.all();
    else if (event.key === "Escape" && selection.peek()) held.end();
    else if (event.key === "x" && !event.ctrlKey && !event.metaKey) toggle(index);
    else if (!more(event, index)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** The mark in front of a row that can be selected. */
export const tick = () => h("span.tick", { "aria-hidden": "true" }, icon("check"));

/**
 * Shows on a song's row whether it is selected.
 * @template {import("../js/list.js").Cell & {song: () => any, index: () => number}} Row
 * @param {Row} row
 * @param {Selecting} held
 * @param {() => void} [more] shown with it
 * @returns {Row}
 */
export function marked(row, held, more = () => {}) {
  const main = /** @type {HTMLElement} */ (row.element.querySelector("[data-main]"));
  const show = () => {
    const chosen = held.selection.value;
    const song = row.song();
    const isChosen = !!chosen && !!song && chosen.has(held.key(song, row.index()) ?? "");
    row.element.classList.toggle("selected", isChosen);
    if (chosen) main.setAttribute("aria-pressed", String(isChosen));
    else if (main.hasAttribute("aria-pressed")) main.removeAttribute("aria-pressed");
    more();
  };
  effect(show);
  return { ...row, update: (/** @type {any} */ item, /** @type {number} */ index) => {
    row.update(item, index);
    show();
  } };
}

/**
 * The bar with what can be done with a selection.
 * @param {Selecting} held
 * @param {HTMLElement} view gets the class that shows the marks
 * @param {import("../js/dom.js").Child[]} tools
 */
export function selectionBar(held, view, tools) {
  const { selection } = held;
  effect(() => view.classList.toggle("selecting", selection.value !== null));
  return h("div.selection-bar", { role: "toolbar", "aria-label": t("queue.selection"), hidden: () => selection.value === null },
    iconButton("close", t("menu.close"), held.end),
    h("span.count", { "aria-live": "polite" }, () => t("queue.selected", { n: selection.value?.size ?? 0 })),
    iconButton("select", t("queue.selectAll"), held.all), ...tools);
}

/** Takes the selected items in the order of the list, which ends the selection. @param {Selecting} held @returns {any[]} */
export function taken(held) {
  const chosen = [...held.selection.peek()?.values() ?? []].sort((one, other) => (one.at ?? one.position ?? 0) - (other.at ?? other.position ?? 0));
  held.end();
  return chosen;
}

/** As `POST /api/queue` names songs. @param {any[]} songs */
const named = (songs) => (songs.every((song) => song.id) ? { songs: songs.map((song) => song.id) } : { uris: songs.map((song) => song.uri) });

/** Stars all of them, or takes the stars away. @param {string[]} ids @param {boolean} starred */
async function starAll(ids, starred) {
  const before = marks.peek();
  const done = await attempt(async () => {
    for (let at = 0; at < ids.length; at += STARS) {
      noteOwnMarks();
      await put("/api/songs/star", { songs: ids.slice(at, at + STARS), starred });
    }
    return true;
  }, () => {
    const next = new Map(before);
    for (const id of ids) next.set(`songs/${id}`, { ...next.get(`songs/${id}`), starred });
    marks.value = next;
    return () => marks.value = before;
  });
  return !!done;
}

/** The actions on songs of the library that are selected. @param {Selecting} held @returns {HTMLElement[]} */
export function songTools(held) {
  const then = (/** @type {(songs: any[]) => void} */ work) => () => {
    const songs = taken(held);
    if (songs.length > 0) work(songs);
  };
  return [
    iconButton("play", t("menu.play"), then((songs) => enqueue(named(songs), "play")), needs("player")),
    iconButton("addNext", t("menu.playNext"), then((songs) => enqueue(named(songs), "next")), needs("add")),
    iconButton("addEnd", t("menu.add"), then((songs) => enqueue(named(songs), "end")), needs("add")),
    iconButton("playlist", t("menu.toPlaylist"), then((songs) => toPlaylist(songs.map((song) => song.uri).filter(Boolean))), needs("control")),
    iconButton("star", t("menu.star"), then(async (songs) => {
      const ids = songs.map((song) => song.id).filter(Boolean);
      if (ids.length === 0 || !await starAll(ids, true)) return;
      tell(t("notice.starred", { n: ids.length }), { label: t("menu.undo"), run: () => {
        // Those that had a star before keep it.
        const plain = songs.filter((song) => song.id && !song.starred).map((song) => song.id);
        if (plain.length > 0) starAll(plain, false);
      } });
    }), needs("control")),
  ];
}

/**
 * Reads parts of a list of songs to select them; says so where they are too long.
 * @param {import("../js/api.js").Windows<any>} source
 * @returns {(from?: number, to?: number) => Promise<any[] | undefined>}
 */
export const reading = (source) => async (from = 0, to = (source.total.peek() ?? 0) - 1) => {
  if (to - from >= MOST) return void tell(t("select.tooMany", { n: MOST }));
  const starts = Array.from({ length: Math.ceil((to + 1 - from) / WINDOW) }, (_, index) => from + index * WINDOW);
  const parts = await attempt(() => Promise.all(starts.map((start) =>
    get(source.path, { ...source.values, start, count: Math.min(WINDOW, to + 1 - start) }))));
  return parts?.flatMap((part) => part.items);
};
