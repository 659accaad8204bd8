// The queue: opens at the playing song; rows are dragged by handles, swiped, and selected.
import { get, patch, Refusal, remove } from "../js/api.js";
import { h } from "../js/dom.js";
import { dragRows, swipeRows } from "../js/gestures.js";
import { virtualList } from "../js/list.js";
import { empty, icon, iconButton, needs, page, songRow, toPlaylist } from "../js/parts.js";
import { back } from "../js/router.js";
import { computed, effect, onEnd } from "../js/signals.js";
import { actions, attempt, elapsed, isReady, may, notice, options, queue, takingBack, tell } from "../js/store.js";
import { span, t } from "../js/texts.js";
import { afterCurrent, QueueSource, shuffle } from "./queue-source.js";
import { marked, selectable, selecting, selectionBar, tick } from "./selection.js";

/** @typedef {import("../js/store.js").Song} Song */

/** So many entries are removed by one request. */
const REMOVED_AT_ONCE = 5000;

/**
 * Removes entries, as many at a time as the server takes.
 * @param {string[]} ids
 * @param {number} length of the queue
 * @param {string[]} before the edits that this one goes on with
 * @returns {Promise<string[]>} what takes all of them back: one, unless another client edits in between
 */
async function removeEntries(ids, length, before) {
  const edits = [...before];
  const parts = ids.length === length ? [{ all: true }]
    : Array.from({ length: Math.ceil(ids.length / REMOVED_AT_ONCE) }, (_, part) => (
      { ids: ids.slice(part * REMOVED_AT_ONCE, (part + 1) * REMOVED_AT_ONCE) }));
  for (const part of parts) {
    const { undo } = await remove("/api/queue", { ...part, undo: edits.at(-1) });
    if (undo !== edits.at(-1)) edits.push(undo);
  }
  return edits;
}

/** So many entries are moved by one request, which a busy server answers in time. */
const AT_ONCE = 2500;

/**
 * Where each part of the entries goes, one part after the other, so that all stand behind each other in the end.
 * @param {number[]} positions in ascending order
 * @param {number} wanted the first one's position afterwards
 */
function placesOf(positions, wanted) {
  // Those that stand in front of that position now; those of them that wait for their part are still counted there.
  let inFront = 0;
  while (inFront < positions.length && positions[inFront] < wanted + inFront) inFront++;
  return Array.from({ length: Math.ceil(positions.length / AT_ONCE) }, (_, part) =>
    wanted + part * AT_ONCE + Math.max(0, inFront - (part + 1) * AT_ONCE));
}

/** @param {QueueSource} source */
function edits(source) {
  /** The move before: the version that it was made on, and the one that came of it. */
  let last = Promise.resolve({ seen: Infinity, version: -1 });

  /**
   * Asks for a move. Two in a row are made one after the other: the second one doesn't wait until the page has read what
   * came of the first.
   * @param {{ids: (string | undefined)[], to: number}} move @param {number} seen the version that it is meant for
   */
  const askForMove = (move, seen) => {
    const asked = last.then((own) =>
      patch("/api/queue", { ...move, version: own.seen <= seen && seen <= own.version ? own.version : seen }));
    last = asked.then(({ version }) => ({ seen, version }), () => ({ seen: Infinity, version: -1 }));
    return asked;
  };

  /** The removals that the notice in sight takes back; the next one belongs to them. */
  let told = { notice: notice.peek(), n: 0, undo: /** @type {string[]} */ ([]) };
  let removals = Promise.resolve();

  /** @param {string[]} ids @param {number} length of the queue before */
  const removeInTurn = (ids, length) => {
    const done = removals.then(async () => {
      const before = told.n > 0 && notice.peek() === told.notice ? told : { n: 0, undo: [] };
      const undo = await removeEntries(ids, length, before.undo);
      const n = before.n + ids.length;
      tell(t("notice.removed", { n }), takingBack(...undo));
      told = { notice: notice.peek(), n, undo };
    });
    removals = done.catch(() => {});
    return done;
  };

  /** @param {Song[]} songs */
  const removeSongs = async (songs) => {
    const length = source.total.peek() ?? 0;
    const positions = songs.map((song) => song.position ?? 0);
    const [least, most] = [positions.reduce((one, other) => Math.min(one, other), Infinity), positions.reduce((one, other) => Math.max(one, other), 0)];
    const gone = new Set(songs.map((song) => song.queueId));
    await attempt(
      () => removeInTurn(songs.map((song) => song.queueId ?? ""), length),
      () => source.foresee(least, most, (run) => run.filter((each) => !each || !gone.has(each.queueId))),
    );
  };

  /** @param {Song[]} songs @param {number} to the first one's position afterwards */
  const moveSongs = async (songs, to) => {
    const ids = songs.map((song) => song.queueId);
    const length = source.total.peek() ?? 0;
    const wanted = Math.max(0, Math.min(length - songs.length, to));
    const positions = songs.map((song) => song.position ?? 0);
    const [first, last] = [positions.reduce((one, other) => Math.min(one, other), wanted), positions.reduce((one, other) => Math.max(one, other), wanted + songs.length - 1)];
    const version = source.version;
    const undo = last - first > 4000 ? () => source.reload() : source.foresee(first, last, (run, begin) => {
      const rest = run.filter((each) => !each || !ids.includes(each.queueId));
      rest.splice(wanted - begin, 0, ...songs);
      return rest;
    });
    const steps = await attempt(async () => {
      try {
        const made = [];
        for (const [part, place] of placesOf(positions, wanted).entries()) {
          const some = ids.slice(part * AT_ONCE, (part + 1) * AT_ONCE);
          made.push({ ids: some, places: (await askForMove({ ids: some, to: place }, version)).places });
        }
        return made;
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 409)) throw error;
        source.reload();
        tell(t("notice.queueChanged"));
      }
    }, () => undo);
    if (!steps) return;
    // The entries themselves go back, so that what plays plays on.
    tell(t("notice.moved", { n: songs.length }), { label: t("menu.undo"), run: () => void attempt(async () => {
      for (const step of steps.toReversed()) await patch("/api/queue", step);
    }) });
  };
  return { removeSongs, moveSongs };
}

/** Menus come once somebody opens one. */
const menus = () => import("./queue-menus.js");

/** The selection, by queue id. @param {QueueSource} source */
const selectingIn = (source) =>
  selecting((index) => source.get(index), (song) => song.queueId, async (from = 0, to = Infinity) => {
    const answer = await attempt(() => get("/api/queue", { since: 0 }));
    const part = answer?.changes?.filter((/** @type {any} */ { position }) => position >= from && position <= to);
    return part?.sort((/** @type {any} */ one, /** @type {any} */ other) => one.position - other.position)
      .map((/** @type {any} */ each) => source.get(each.position) ?? { ...each, uri: "" });
  });

/**
 * The actions on selected songs of the queue.
 * @param {import("./selection.js").Selecting} held
 * @param {ReturnType<typeof edits>} does
 */
function queueTools(held, does) {
  const chosen = () => [...held.selection.peek()?.values() ?? []].sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
  const then = (/** @type {(songs: Song[]) => void} */ work) => () => {
    const songs = chosen();
    held.end();
    if (songs.length > 0) work(songs);
  };
  return [
    iconButton("up", t("queue.up"), () => does.moveSongs(chosen(), (chosen()[0]?.position ?? 0) - 1), needs("player")),
    iconButton("down", t("queue.down"), () => does.moveSongs(chosen(), (chosen()[0]?.position ?? 0) + 1), needs("player")),
    iconButton("top", t("queue.top"), then((songs) => does.moveSongs(songs, 0)), needs("player")),
    iconButton("after", t("queue.afterCurrent"), then((songs) => {
      const at = queue.peek().position ?? -1;
      does.moveSongs(songs, at + 1 - songs.filter((song) => (song.position ?? 0) <= at).length);
    }), needs("player")),
    iconButton("shuffle", t("queue.priority"), then(async (songs) => (await menus()).priorityMenu(songs)), needs("player")),
    iconButton("playlist", t("menu.toPlaylist"), then(async (songs) => {
      const uris = await attempt(async () => (await menus()).addressesOf(songs));
      if (uris) toPlaylist(uris);
    }), needs("control")),
    iconButton("trash", t("queue.remove"), then(does.removeSongs), needs("player")),
  ];
}

/** "342 songs · 21 hr · 4 hr left · playing 280 of 342", as of the moment at which the song began */
const summary = () => {
  const { length, duration, remaining, position } = queue.value;
  const parts = [t("count.songs", { n: length })];
  if (duration) parts.push(span(duration));
  // At random nothing says what is still to come.
  const left = remaining && !options.value.random ? span(remaining - elapsed()) : "";
  if (left && position) parts.push(t("queue.left", { time: left }));
  if (position !== null && length > 0) parts.push(t("queue.place", { n: position + 1, total: length }));
  return parts.join(" · ");
};

/**
 * @param {QueueSource} source
 * @param {ReturnType<typeof edits>} does
 * @param {import("./selection.js").Selecting} held
 */
function makeList(source, does, held) {
  const { selection } = held;
  const tap = (/** @type {Song} */ song) => void (may("player") && actions.playEntry(song.queueId ?? ""));
  const list = virtualList({
    source, label: t("nav.queue"), row: 64,
    render: () => {
      const handle = h("span.handle", { "aria-hidden": "true" }, icon("handle"));
      const row = songRow({ onplay: tap, onmenu: async (song) => (await menus()).entryMenu(song, does), before: [tick()], after: [handle], album: false });
      row.element.append(h("span.under", { "aria-hidden": "true" }, icon("addNext"), icon("trash")));
      return marked(row, held, () => row.element.classList.toggle("has-priority", (row.song()?.priority ?? 0) > 0));
    },
  });
  const at = (/** @type {number} */ index) => source.get(index);
  swipeRows(list.element, {
    left: (index) => { const song = at(index); if (song && may("player")) does.removeSongs([song]); },
    right: (index) => { const song = at(index); if (song && may("player")) does.moveSongs([song], afterCurrent(song)); },
    isOff: () => selection.peek() !== null,
  });
  dragRows(list, { drop: (from, to) => { const song = at(from); if (song && may("player")) does.moveSongs([song], to); } });
  selectable(list.element, held, (event, index) => {
    const song = at(index);
    if (!song || !may("player")) return false;
    if (event.key === "Delete") {
      does.removeSongs(selection.peek()?.size ? [...selection.peek()?.values() ?? []] : [song]);
      selection.value = null;
      return true;
    }
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return false;
    const to = index + (event.key === "ArrowUp" ? -1 : 1);
    does.moveSongs([song], to).then(() => list.focus(to));
    return true;
  });
  return list;
}

/** Rows stay where they are on the screen when others come or go above. @param {QueueSource} source @param {any} list */
function keepPlace(source, list) {
  source.aroundChange = (work) => {
    const { first } = list.visible.peek();
    const anchor = source.get(first)?.queueId;
    work();
    if (!anchor || list.scroller().scrollTop < 4) return;
    const now = source.find(anchor);
    if (now >= 0 && now !== first) list.scroller().scrollTop += (now - first) * list.rowHeight();
  };
}

/**
 * @param {import("../js/router.js").Route} _route
 * @param {boolean} [isPanel] beside another view
 */
export default function queueView(_route, isPanel = false) {
  const source = new QueueSource();
  onEnd(source.end);
  const does = edits(source);
  const held = selectingIn(source);
  const list = makeList(source, does, held);
  keepPlace(source, list);
  const isAway = computed(() => {
    const at = queue.value.position;
    const { first, last } = list.visible.value;
    return at !== null && source.total.value !== null && last > 0 && (at < first || at > last);
  });
  const toPlaying = h("button.to-playing", { type: "button", hidden: () => !isAway.value,
    onclick: () => list.scrollTo(queue.peek().position ?? 0) }, icon("song"), t("queue.toPlaying"));
  const bar = h("div.selection-place");
  const view = page(t("nav.queue"), [
    iconButton("shuffle", t("queue.shuffle"), shuffle, needs("player")),
    iconButton("more", t("menu.more"), async () => (await menus()).queueMenu(held.begin)),
  ],
    h("p.summary", null, summary),
    bar,
    list.element,
    () => (isReady.value && queue.value.length === 0
      ? empty("queue", t("queue.empty"), h("a.primary", { href: "#/albums" }, t("queue.find"))) : null),
    toPlaying);
  view.classList.add("queue-view");
  if (isPanel) view.classList.add("panel");
  else view.querySelector("header.bar")?.prepend(iconButton("down", t("menu.back"), () => back("#/now"), { tag: "button.icon-button.only-narrow" }));
  bar.replaceWith(selectionBar(held, view, queueTools(held, does)));

  // Opens at the playing song, unless the browser comes back to a place that was scrolled to.
  let isPlaced = !isPanel && Number(history.state?.scroll ?? 0) > 0;
  effect(() => {
    const at = queue.value.position;
    if (isPlaced || source.total.value === null || at === null) return;
    isPlaced = true;
    requestAnimationFrame(() => {
      list.settle();
      if (at > 2) list.scrollTo(at);
    });
  });
  return view;
}
