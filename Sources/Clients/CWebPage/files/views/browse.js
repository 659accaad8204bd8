// Lists of the library: artists, albums, songs, genres, years. One frame: filter, order, A–Z, rows or tiles.
import { get, Windows } from "../js/api.js";
import { h } from "../js/dom.js";
import { virtualList } from "../js/list.js";
import { albumMenu, albumTile, artistTile, cover, empty, fetched, filterField, icon, iconButton, needs, openSheet, page, queueItems, songRow } from "../js/parts.js";
import { back, go, link, remember } from "../js/router.js";
import { effect, onChange, onEnd, scope, signal, untracked } from "../js/signals.js";
import { attempt, enqueue, marksElsewhere, marksOf, on, tapMeans } from "../js/store.js";
import { span, t } from "../js/texts.js";
import { marked, reading, selectable, selecting, selectionBar, songTools, tick } from "./selection.js";

const GRID = { least: 148, gap: 16, below: 56 };

/** The orders that people choose from. @type {{[view: string]: string[]}} */
const ORDERS = {
  albums: ["title", "artist", "-year", "-added", "-rating", "random"],
  songs: ["title", "artist", "-year", "-added", "-rating", "random"],
  artists: [], genres: [],
};

/** A row for a genre. @returns {import("../js/list.js").Cell} */
function genreRow() {
  /** @type {any} */
  let genre;
  const [name, sub] = [h("span.title"), h("span.sub")];
  const main = h("a.main", { "data-main": true, href: "#/genres" }, h("span.cover", null, icon("genre")), h("span.names", null, name, sub));
  const more = iconButton("more", t("menu.more"), () => genre && openSheet({ title: genre.name, items: queueItems({ genre: genre.name }) }));
  const element = h("div.row", { role: "listitem" }, h("div.slide", null, main, more));
  return {
    element,
    update: (/** @type {any} */ item) => {
      genre = item;
      element.classList.toggle("skeleton", !item);
      name.textContent = item?.name ?? "";
      more.setAttribute("aria-label", t("menu.moreFor", { name: item?.name ?? "" }));
      sub.textContent = item ? [t("count.albums", { n: item.albums }), t("count.songs", { n: item.songs })].join(" · ") : "";
      if (item) main.setAttribute("href", link("albums", null, { genre: item.name }));
    },
  };
}

/** A row for an album, for people who prefer names to pictures. @returns {import("../js/list.js").Cell} */
function albumRow() {
  /** @type {any} */
  let album;
  const art = cover(96, "album", "/cover", true);
  const [name, sub, time] = [h("span.title"), h("span.sub"), h("span.time")];
  const main = h("a.main", { "data-main": true, href: "#/albums" }, art.element, h("span.names", null, name, sub));
  const star = h("span.marked", { hidden: true }, icon("starred"));
  const more = iconButton("more", t("menu.more"), () => album && albumMenu(album));
  const element = h("div.row", { role: "listitem" }, h("div.slide", null, main, star, time, more));
  const mark = () => star.hidden = !marksOf("albums", album ?? { id: null }).starred;
  effect(mark);
  return {
    element,
    update: (/** @type {any} */ item) => {
      album = item;
      element.classList.toggle("skeleton", !item);
      name.textContent = item?.title ?? "";
      sub.textContent = item ? [item.artist, item.year].filter(Boolean).join(" · ") : "";
      time.textContent = item ? span(item.duration) : "";
      more.setAttribute("aria-label", t("menu.moreFor", { name: item?.title ?? "" }));
      if (item) main.setAttribute("href", link("album", item.id));
      art.show(item?.cover);
      untracked(mark);
    },
  };
}

/** The letters beside a long list; a finger that slides over them scrolls. @param {Windows<any>} source @param {any} list */
function letterStrip(source, list) {
  const jump = (/** @type {number} */ y, /** @type {HTMLElement} */ strip) => {
    const box = strip.getBoundingClientRect();
    const letters = source.letters.peek();
    const at = Math.floor((y - box.top) / box.height * letters.length);
    const found = letters[Math.max(0, Math.min(letters.length - 1, at))];
    if (found) list.scrollTo(found.offset, "start");
  };
  const strip = h("nav.letters", {
    "aria-label": t("browse.letters"), hidden: () => source.letters.value.length < 5 || (source.total.value ?? 0) < 40,
    onpointerdown: (/** @type {PointerEvent} */ event) => {
      strip.setPointerCapture(event.pointerId);
      jump(event.clientY, strip);
    },
    onpointermove: (/** @type {PointerEvent} */ event) => event.buttons > 0 && jump(event.clientY, strip),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const by = /** @type {{[key: string]: number}} */ ({ ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 })[event.key];
      const buttons = [...strip.querySelectorAll("button")];
      const next = by && buttons[buttons.indexOf(event.target) + by];
      if (!next) return;
      event.preventDefault();
      event.stopPropagation();
      for (const each of buttons) each.tabIndex = each === next ? 0 : -1;
      next.focus();
    },
  }, () => {
    const letters = source.letters.value;
    const active = document.activeElement?.closest(".letters button");
    const held = letters.findIndex(({ letter }) => letter === active?.textContent);
    // One stop for Tab; the arrow keys go on from there.
    const buttons = letters.map(({ letter, offset }, index) => h("button", {
      type: "button", tabindex: index === Math.max(0, held) ? 0 : -1, onclick: () => list.scrollTo(offset, "start"),
    }, letter));
    if (held >= 0) queueMicrotask(() => buttons[held].focus());
    return buttons;
  });
  return strip;
}

/** @param {string} view @param {URLSearchParams} query */
function heading(view, query) {
  if (query.get("genre")) return query.get("genre") ?? "";
  if (query.get("decade")) return t("browse.decade", { decade: query.get("decade") });
  if (query.get("year")) return query.get("year") ?? "";
  if (query.get("starred")) return t(view === "songs" ? "library.starredSongs" : "home.starred");
  if (query.get("heard") === "0") return t("library.unheard");
  if (query.get("sort") === "-played") return t("home.played");
  if (query.get("sort") === "-added") return t("home.added");
  if (query.get("sort") === "random") return t(view === "albums" ? "home.random" : "browse.order.random");
  return t(`nav.${view}`);
}

/** @param {string} view @param {URLSearchParams} query @param {(changes: {[name: string]: string | null}) => void} change */
function orderButton(view, query, change) {
  const now = query.get("sort") ?? ORDERS[view][0];
  return iconButton("settings", t("browse.order"), () => openSheet({
    title: t("browse.order"),
    items: ORDERS[view].map((order) => ({ icon: order === now ? "check" : "after", label: t(`browse.order.${order.replace("-", "")}`), run: () => change({ sort: order }) })),
  }));
}

/** Between pictures and names. @param {import("../js/signals.js").Signal<boolean>} isGrid @param {() => void} onclick */
const shapeButton = (isGrid, onclick) => {
  const label = () => t(isGrid.value ? "browse.asList" : "browse.asGrid");
  return h("button.icon-button", { type: "button", "aria-label": label, title: label, onclick }, () => icon(isGrid.value ? "list" : "grid"));
};

/**
 * Plays, shuffles or adds the list.
 * @param {string} view
 * @param {URLSearchParams} query
 * @param {import("../js/signals.js").Signal<Windows<any>>} source
 */
function playAll(view, query, source) {
  const isReading = signal(false);
  const genre = query.get("genre");
  const put = async (/** @type {"replace" | "end"} */ how, isShuffled = false) => {
    const { values } = source.peek();
    // The server knows the songs of a whole genre by itself.
    if (genre && !isShuffled && !values.q && query.size === 1) return enqueue({ genre }, how);
    isReading.value = true;
    await attempt(async () => (await import("./whole.js")).enqueueList(view, values, how, isShuffled));
    isReading.value = false;
  };
  const may = (/** @type {string} */ permission) => {
    const { disabled, title } = needs(permission);
    return { disabled: () => disabled() || isReading.value, title };
  };
  return h("div.play-all", { hidden: () => source.value.total.value === 0 },
    h("button.primary", { type: "button", onclick: () => put("replace"), ...may("player") },
      icon("play"), t("menu.play")),
    h("button.quiet", { type: "button", onclick: () => put("replace", true), ...may("player") },
      icon("shuffle"), t("menu.shuffle")),
    h("button.quiet", { type: "button", onclick: () => put("end"), ...may("add") }, icon("addEnd"), t("menu.add")));
}

/** @param {string} view @param {boolean} isGrid @param {import("./selection.js").Selecting} held */
const renderer = (view, isGrid, held) =>
  view === "albums" ? (isGrid ? () => albumTile(true) : albumRow) : view === "artists" ? () => artistTile(true) : view === "genres" ? genreRow
    : () => marked(songRow({ onplay: (song) => enqueue({ songs: [song.id] }, tapMeans()), before: [tick()] }), held);

/** The windows of a list at random fit together, and are the same on the way back. @param {string | undefined} sort */
function seedOf(sort) {
  if (sort !== "random") return undefined;
  const seed = Number(history.state?.seed) || Math.floor(Math.random() * 1e9);
  remember({ seed });
  return seed;
}

/** @param {import("../js/router.js").Route} route */
function listView({ path, query }) {
  const view = path[0];
  const values = Object.fromEntries(query);
  const seed = seedOf(values.sort);
  const make = (/** @type {string} */ words) =>
    new Windows(`/api/${view}`, { ...values, seed, sort: values.sort ?? (view === "songs" || view === "albums" ? "title" : undefined), q: words });
  const source = signal(make(""));
  const held = selecting((index) => source.peek().get(index), (song) => song.id,
    (from, to) => reading(source.peek())(from, to));
  const change = (/** @type {{[name: string]: string | null}} */ changes) => {
    const next = { ...values, ...changes };
    go(link(view, null, /** @type {any} */ (next)), { replace: true });
  };
  const holder = h("div.list-holder");
  let endList = () => {};
  const isGrid = signal(view === "artists" || (view === "albums" && localStorage.getItem("albums") !== "list"));
  /** @type {any} */
  let list;
  const fill = (/** @type {string} */ words, made = make(words)) => {
    source.value = made;
    held.end();
    endList();
    const [, stop] = scope(() => {
      const grid = isGrid.peek();
      list = virtualList({ source: made, label: t(`nav.${view}`), row: 64, render: renderer(view, grid, held), grid: grid ? GRID : undefined });
      if (grid) list.element.classList.add("grid");
      if (view === "songs") selectable(list.element, held);
      holder.replaceChildren(list.element, letterStrip(made, list), h("div", null, () => {
        if (made.error.value && made.total.value === null) {
          return empty("offline", made.error.value.message, h("button.quiet", { type: "button", onclick: () => made.reload() }, t("error.again")));
        }
        return made.total.value === 0 ? empty("search", t(words ? "search.nothing" : "browse.nothing", { words })) : null;
      }));
    });
    endList = stop;
  };
  onEnd(() => endList());
  const filter = filterField(values.q ?? "", (words) => fill(words));
  fill(values.q ?? "");
  const refresh = () => (values.sort !== "random" || source.peek().total.peek() === null) && source.peek().reload();
  onEnd(on("library", refresh));
  onEnd(on("found", refresh));
  onChange(marksElsewhere, refresh);
  /** Tiles become rows, or the other way round; the same albums stay in sight. */
  const reshape = () => {
    const at = list.visible.peek().first;
    isGrid.value = !isGrid.peek();
    if (isGrid.peek()) localStorage.removeItem("albums");
    else localStorage.setItem("albums", "list");
    fill(filter.value.trim(), source.peek());
    list.settle();
    if (at > 0) list.scrollTo(at, "start");
  };
  const isNarrowed = ["genre", "decade", "year", "starred", "heard"].some((name) => query.has(name));
  const title = heading(view, query);
  const element = page(title, [
    view === "songs" ? iconButton("select", t("queue.select"), held.begin) : null,
    view === "albums" ? shapeButton(isGrid, reshape) : null,
    ORDERS[view].length > 0 ? orderButton(view, query, change) : null,
  ],
    h("div.list-head", null, filter, h("p.summary", null, () => (source.value.total.value === null ? " " : t(`count.${view}`, { n: source.value.total.value ?? 0 }))),
      isNarrowed || view === "songs" ? playAll(view, query, source) : null),
    holder);
  element.classList.add("browse");
  if (view === "songs") holder.before(selectionBar(held, element, songTools(held)));
  element.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/library")));
  return element;
}

/** Decades, and the years of one. @param {import("../js/router.js").Route} route */
function yearsView({ path }) {
  const year = Number.parseInt(path[1] ?? "");
  // An address may name a year of it.
  const decade = year >= 0 ? String(Math.floor(year / 10) * 10) : null;
  const element = decade
    ? page(t("browse.decade", { decade }), [], h("div.years", null,
      h("a.year.all", { href: link("albums", null, { decade }) }, t("browse.wholeDecade")),
      ...Array.from({ length: 10 }, (_, index) => h("a.year", { href: link("albums", null, { year: String(Number(decade) + index) }) }, String(Number(decade) + index)))))
    : page(t("nav.years"), [], fetched(
      async () => {
        try {
          return await get("/api/decades");
        } catch {
          const now = Math.floor(new Date().getFullYear() / 10) * 10;
          return { items: Array.from({ length: 8 }, (_, index) => ({ decade: now - index * 10, albums: null })) };
        }
      },
      (answer) => answer.items.length === 0 ? empty("year", t("browse.nothing")) : h("div.years", null, ...answer.items.map((/** @type {any} */ each) =>
        h("a.year", { href: link("years", String(each.decade)) }, t("browse.decade", { decade: String(each.decade) }),
          each.albums === null ? null : h("span.sub", null, t("count.albums", { n: each.albums })))))).element);
  element.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/library")));
  return element;
}

/** @param {import("../js/router.js").Route} route */
export default function browseView(route) {
  return route.path[0] === "years" ? yearsView(route) : listView(route);
}
