// What several views are made of: icons, covers, rows, sheets with actions, questions.
import { Refusal } from "./api.js";
import { h, svg, whenCalm, write } from "./dom.js";
import { link } from "./router.js";
import { effect, onEnd, scope, untracked } from "./signals.js";
import { complain, enqueue, mark, marksOf, may, on, song as playing, waits } from "./store.js";
import { clock, t } from "./texts.js";

/** Outlines of 24 by 24; what begins with a star is filled. @type {{[name: string]: string}} */
const ICONS = {
  play: "*M7 4.6v14.8a.9.9 0 0 0 1.4.8l11.3-7.4a.9.9 0 0 0 0-1.6L8.4 3.8A.9.9 0 0 0 7 4.6z",
  pause: "*M6.5 4h3a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM14.5 4h3a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z",
  stop: "*M6.5 5h11A1.5 1.5 0 0 1 19 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 17.5v-11A1.5 1.5 0 0 1 6.5 5z",
  next: "*M5 5.3v13.4a.8.8 0 0 0 1.2.7L16 13v5.5a1.2 1.2 0 0 0 2.4 0v-13a1.2 1.2 0 0 0-2.4 0V11L6.2 4.6a.8.8 0 0 0-1.2.7z",
  previous: "*M19 5.3v13.4a.8.8 0 0 1-1.2.7L8 13v5.5a1.2 1.2 0 0 1-2.4 0v-13a1.2 1.2 0 0 1 2.4 0V11l9.8-6.4a.8.8 0 0 1 1.2.7z",
  shuffle: "M3 7h3.5c5 0 5.5 10 10.5 10h4M3 17h3.5c2 0 3.2-1.6 4.2-3.5M13.5 9.5C14.4 8 15.5 7 17 7h4M18 4l3 3-3 3M18 14l3 3-3 3",
  repeat: "M4 11V9a3 3 0 0 1 3-3h13M17 3l3 3-3 3M20 13v2a3 3 0 0 1-3 3H4M7 21l-3-3 3-3",
  single: "M4 11V9a3 3 0 0 1 3-3h13M17 3l3 3-3 3M20 13v2a3 3 0 0 1-3 3H4M7 21l-3-3 3-3M11 10.5l1.5-1v5",
  consume: "M20.5 12a8.5 8.5 0 1 1-5-7.7M12 12l8-5M12 12l8.3 2.5",
  volume: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
  queue: "M4 6h16M4 11h10M4 16h7M16 13.5v6l4.5-3z",
  lyrics: "M5 4.5h14A1.5 1.5 0 0 1 20.5 6v9a1.5 1.5 0 0 1-1.5 1.5h-7L7.5 20v-3.5H5A1.5 1.5 0 0 1 3.5 15V6A1.5 1.5 0 0 1 5 4.5zM8 9h8M8 12.5h5",
  rooms: "M5.5 3h13A1.5 1.5 0 0 1 20 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 19.5v-15A1.5 1.5 0 0 1 5.5 3zM12 17.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM12 7h.01",
  home: "M4 10.5 12 4l8 6.5V19a1.5 1.5 0 0 1-1.5 1.5h-3.5v-6h-6v6H5.5A1.5 1.5 0 0 1 4 19z",
  search: "M10.5 17.5a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20.5 20.5l-5-5",
  library: "M4.5 4v16M9 4v16M13.5 5.2l5 14.6",
  radio: "M4.5 9.5h15A1.5 1.5 0 0 1 21 11v7.5a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 18.5V11a1.5 1.5 0 0 1 1.5-1.5zM6 9.5 17 4M8 17a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 8 17zM14 13h4M14 16.5h4",
  more: "*M5 10.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4zM12 10.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4zM19 10.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4z",
  star: "M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z",
  starred: "*M12 3.3l2.7 5.5 6 .8-4.4 4.2 1.1 6L12 17l-5.4 2.8 1.1-6-4.4-4.2 6-.8z",
  handle: "M5 9h14M5 15h14",
  list: "M4 6h.01M4 12h.01M4 18h.01M8 6h12M8 12h12M8 18h12",
  grid: "M5 4h5v6H5zM14 4h5v6h-5zM5 14h5v6H5zM14 14h5v6h-5z",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5 10 17.5 19.5 7",
  down: "M5.5 9l6.5 6.5L18.5 9",
  up: "M5.5 15.5 12 9l6.5 6.5",
  top: "M5 4.5h14M12 20V9M7 14l5-5 5 5",
  after: "M4 6h11M4 12h6M4 18h6M18 9v10M14.5 15.5 18 19l3.5-3.5",
  left: "M15 5.5 8.5 12l6.5 6.5",
  right: "M9 5.5 15.5 12 9 18.5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  addNext: "M4 6h16M4 12h8M4 18h8M18 10v9M15 16l3 3 3-3",
  addEnd: "M4 6h16M4 12h16M4 18h8M18 15v6M15 18h6",
  replace: "M20 11a8 8 0 0 0-14.5-3.5L4 9M4 4.5V9h4.5M4 13a8 8 0 0 0 14.5 3.5L20 15M20 19.5V15h-4.5",
  trash: "M4.5 6.5h15M9.5 6V4h5v2M6.5 6.5l1 13a1 1 0 0 0 1 .9h7a1 1 0 0 0 1-.9l1-13M10 10.5v6M14 10.5v6",
  playlist: "M4 6h16M4 11h16M4 16h8M16 13.5v6l4.5-3z",
  album: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  artist: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.6-4 3.6-5.8 7.5-5.8s6.9 1.8 7.5 5.8",
  genre: "M4 12.5V5a1 1 0 0 1 1-1h7.5l8 8a1 1 0 0 1 0 1.4l-7 7a1 1 0 0 1-1.4 0zM8 8h.01",
  year: "M5.5 5.5h13A1.5 1.5 0 0 1 20 7v12a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 19V7a1.5 1.5 0 0 1 1.5-1.5zM4 10.5h16M8.5 3v4M15.5 3v4",
  folder: "M3.5 6.5A1.5 1.5 0 0 1 5 5h4.5l2 2.5H19A1.5 1.5 0 0 1 20.5 9v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18z",
  song: "M9 18V5.5l11-2V16M9 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM20 16a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
  recent: "M12 21a9 9 0 1 0-9-9M3 12l-1.5-2.5M3 12l2.5-1.5M12 7v5l3.5 2",
  random: "M5.5 4h13A1.5 1.5 0 0 1 20 5.5v13a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-13A1.5 1.5 0 0 1 5.5 4zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  phone: "M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zM11 18h2",
  headphones: "M4 15v-2.5a8 8 0 0 1 16 0V15M4 15a2 2 0 0 1 4 0v3a2 2 0 0 1-4 0zM20 15a2 2 0 0 0-4 0v3a2 2 0 0 0 4 0z",
  select: "M4 6l2 2 3-3.5M4 16l2 2 3-3.5M13 7h7M13 17h7",
  cards: "M7 3.5h10A1.5 1.5 0 0 1 18.5 5v14a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 19V5A1.5 1.5 0 0 1 7 3.5zM2.5 7v10M21.5 7v10",
  copy: "M9 8.5h9.5A1.5 1.5 0 0 1 20 10v9a1.5 1.5 0 0 1-1.5 1.5H9A1.5 1.5 0 0 1 7.5 19v-9A1.5 1.5 0 0 1 9 8.5zM4 15.5V5a1.5 1.5 0 0 1 1.5-1.5H15",
  edit: "M4 20l1-4.5L16 4.5a1.4 1.4 0 0 1 2 0l1.5 1.5a1.4 1.4 0 0 1 0 2L8.5 19z",
  offline: "M3 3l18 18M5 12.5a10 10 0 0 1 4-2.4M2 9a15 15 0 0 1 4.5-2.7M12 5c3.8 0 7.4 1.5 10 4M14.5 10.4a10 10 0 0 1 4.5 2.1M8.5 16a5 5 0 0 1 7 0M12 19.5h.01",
  full: "M4 9V5.5A1.5 1.5 0 0 1 5.5 4H9M15 4h3.5A1.5 1.5 0 0 1 20 5.5V9M20 15v3.5a1.5 1.5 0 0 1-1.5 1.5H15M9 20H5.5A1.5 1.5 0 0 1 4 18.5V15",
  share: "M12 15V3.5M8 7l4-3.5L16 7M7 11H5.5A1.5 1.5 0 0 0 4 12.5v6A1.5 1.5 0 0 0 5.5 20h13a1.5 1.5 0 0 0 1.5-1.5v-6a1.5 1.5 0 0 0-1.5-1.5H17",
  wish: "M12 3.5l1.7 4.8 4.8 1.7-4.8 1.7L12 16.5l-1.7-4.8L5.5 10l4.8-1.7zM18.5 15.5l.8 2.2 2.2.8-2.2.8-.8 2.2-.8-2.2-2.2-.8 2.2-.8z",
  key: "M8 19a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM11.2 11.3 19.5 3M16 6.5l2.5 2.5M8 14.5h.01",
};

/** @param {string} name @returns {SVGElement} */
export function icon(name) {
  const path = ICONS[name] ?? "";
  const filled = path.startsWith("*");
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: filled ? "icon filled" : "icon" },
    svg("path", { d: filled ? path.slice(1) : path }));
}

/**
 * A button that is an icon alone, with a name.
 * @param {string} name
 * @param {string | (() => string)} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {{[name: string]: any}} [more]
 */
export function iconButton(name, label, onclick, more = {}) {
  const { tag = "button.icon-button", ...attributes } = more;
  return h(tag, { type: "button", "aria-label": label, title: label, onclick, ...attributes }, icon(name));
}

/** What a control needs that asks for a permission: disabled with the reason. @param {string} permission */
export const needs = (permission) => ({
  disabled: () => !may(permission),
  title: () => (may(permission) ? "" : t("needs.permission", { permission })),
});

/**
 * The mark of an edit that waits for the library's server; most are sent before it shows itself.
 * @param {() => boolean} is
 */
export const waitingMark = (is) => h("span.waits", { role: "img", hidden: () => !is(), "aria-label": t("marks.wait"), title: t("marks.wait") }, icon("recent"));

/** Pictures that wait, the newest first; four at once leave connections for what is typed and tapped. */
const AT_ONCE = 4;
/** @type {{image: HTMLImageElement, source: string}[]} */
const line = [];
/** A picture that is given up tells nobody, so its place is freed by hand. @type {Map<HTMLImageElement, () => void>} */
const inFlight = new Map();
let loading = 0;

function loadNext() {
  while (loading < AT_ONCE) {
    // While somebody scrolls fast, what comes into sight matters more than what has left it.
    const found = line.length > 24 ? line.pop() : line.shift();
    if (!found) return;
    const { image, source } = found;
    if (image.dataset.wanted !== source) continue;
    loading++;
    const done = () => {
      inFlight.delete(image);
      image.removeEventListener("load", done);
      image.removeEventListener("error", done);
      loading--;
      loadNext();
    };
    inFlight.set(image, done);
    image.addEventListener("load", done);
    image.addEventListener("error", done);
    image.src = source;
  }
}

/** Covers in sight, or nearly so, are asked for; those at the far end of a shelf wait. @type {WeakMap<Element, (isNear: boolean) => void>} */
const places = new WeakMap();
const sight = new IntersectionObserver((seen) => {
  for (const each of seen) places.get(each.target)?.(each.isIntersecting);
}, { rootMargin: "240px" });

/**
 * A place for a cover, square, with a quiet stand-in until there is one.
 * @param {number} size of the picture in pixels: 96, 320, 640 or 1280
 * @param {string} [stand] the stand-in's icon
 * @param {string} [path] where pictures come from
 * @param {boolean} [isSeen] whether it is always in sight, as in recycled rows
 */
export function cover(size, stand = "song", path = "/cover", isSeen = false) {
  const image = /** @type {HTMLImageElement} */ (h("img", { alt: "", decoding: "async", width: size, height: size }));
  const element = h("div.cover", null, image);
  // Most have a picture, and a drawing for each that hides again behind it would cost long lists their frames.
  const standIn = () => element.firstChild === image && element.prepend(icon(stand));
  image.addEventListener("load", () => element.classList.add("there"));
  image.addEventListener("error", () => {
    element.classList.remove("there");
    standIn();
  });
  let [isNear, isAsked] = [isSeen, true];
  const ask = () => {
    const source = image.dataset.wanted;
    if (!isNear || isAsked || !source) return;
    isAsked = true;
    if (line.length > 100) line.splice(0, line.length, ...line.filter((each) => each.image.dataset.wanted === each.source));
    line.push({ image, source });
    loadNext();
  };
  if (!isSeen) {
    places.set(element, (now) => {
      isNear = now;
      whenCalm(ask);
    });
    sight.observe(element);
  }
  return {
    element,
    /** @param {string | null | undefined} key null where there is no picture, undefined while that is not known */
    show: (key) => {
      if (key === null) standIn();
      const source = key ? `${path}/${encodeURIComponent(key)}/${size}` : "";
      if (image.dataset.wanted === source) return;
      image.dataset.wanted = source;
      if (element.classList.contains("there")) element.classList.remove("there");
      // One that is on its way is given up; one that is there stays, unseen, until the next has come: an image without
      // a source would be laid out anew as its alternative text.
      if (inFlight.has(image)) image.removeAttribute("src");
      inFlight.get(image)?.();
      isAsked = false;
      whenCalm(ask);
    },
  };
}

/** @param {import("./store.js").Song | null | undefined} song */
export const isPlaying = (song) => {
  const now = playing.value;
  return !!now && !!song && (song.queueId ? song.queueId === now.queueId : song.uri === now.uri);
};

/**
 * A row for a song in a list: cover or number, names, length, actions.
 * @param {{onplay: (song: any, index: number) => void, numbered?: boolean, album?: boolean,
 *   onmenu?: (song: any, index: number) => void, before?: HTMLElement[], after?: HTMLElement[]}} setting
 * @returns {import("./list.js").Cell & {song: () => any, index: () => number}}
 */
export function songRow(setting) {
  /** @type {any} */
  let song;
  let index = 0;
  const art = setting.numbered ? null : cover(96, "song", "/cover", true);
  const position = h("span.number");
  const [title, sub, time] = [h("span.title"), h("span.sub"), h("span.time")];
  const main = h("button.main", { type: "button", "data-main": true, onclick: () => song && setting.onplay(song, index) },
    art ? art.element : position, h("span.names", null, title, sub));
  const star = h("span.marked", { hidden: true }, icon("starred"));
  const waiter = waitingMark(() => false);
  const more = iconButton("more", t("menu.more"), () => song && (setting.onmenu ?? songMenu)(song, index));
  const element = h("div.row", { role: "listitem" },
    h("div.slide", null, ...setting.before ?? [], main, waiter, star, time, ...setting.after ?? [], more));
  const current = () => {
    const on = isPlaying(song);
    element.classList.toggle("playing", on);
    if (on) main.setAttribute("aria-current", "true");
    else main.removeAttribute("aria-current");
    const isPlain = !marksOf("songs", song ?? { id: null }).starred;
    if (star.hidden !== isPlain) star.hidden = isPlain;
    const isSent = !waits("songs", song?.id);
    if (waiter.hidden !== isSent) waiter.hidden = isSent;
  };
  effect(current);
  return {
    element,
    song: () => song,
    index: () => index,
    update: (/** @type {any} */ item, /** @type {number} */ at) => {
      [song, index] = [item, at];
      element.classList.toggle("skeleton", !item);
      const line = item ? subline(item, setting) : "";
      write(title, item ? item.title || item.uri : "");
      write(sub, line);
      sub.hidden = !!item && line === "";
      write(time, item?.duration ? clock(item.duration) : "");
      if (setting.numbered) write(position, item ? String(item.track ?? at + 1) : "");
      art?.show(item?.cover);
      more.setAttribute("aria-label", t("menu.moreFor", { name: item?.title ?? "" }));
      untracked(current);
    },
  };
}

/** @param {any} song @param {{numbered?: boolean, album?: boolean}} setting */
export const subline = (song, setting) =>
  setting.numbered && song.artist === (song.albumArtist ?? song.artist)
    ? ""
    : setting.numbered || !song.album || setting.album === false ? song.artist ?? "" : [song.artist, song.album].filter(Boolean).join(" · ");

/**
 * A tile of a grid: cover, title, a line beneath.
 * @param {{href: (item: any) => string, title: (item: any) => string, sub: (item: any) => string, round?: boolean,
 *   icon?: string, onmenu?: (item: any) => void, cover?: (item: any) => string | null, path?: string, isSeen?: boolean}} setting
 * @returns {import("./list.js").Cell}
 */
export function tile(setting) {
  /** @type {any} */
  let item;
  const art = cover(320, setting.icon ?? "album", setting.path, setting.isSeen);
  const [title, sub] = [h("span.title"), h("span.sub")];
  const main = h("a.main", { "data-main": true, href: "#/" }, art.element, title, sub);
  const menu = setting.onmenu;
  const more = menu ? [iconButton("more", t("menu.more"), () => item && menu(item), { tag: "button.icon-button.on-cover" })] : [];
  const element = h("div.tile", { role: "listitem", class: { round: setting.round } }, main, ...more);
  return {
    element,
    update: (/** @type {any} */ next) => {
      item = next;
      element.classList.toggle("skeleton", !next);
      title.textContent = next ? setting.title(next) : "";
      sub.textContent = next ? setting.sub(next) : "";
      if (next) main.setAttribute("href", setting.href(next));
      if (more[0]) more[0].setAttribute("aria-label", t("menu.moreFor", { name: next ? setting.title(next) : "" }));
      art.show(next ? (setting.cover ?? ((each) => each.cover))(next) : undefined);
    },
  };
}

/** A tile of an album. `isSeen` is for grids whose tiles are recycled. */
export const albumTile = (isSeen = false) =>
  tile({
    isSeen,
    href: (album) => link("album", album.id),
    title: (album) => album.title,
    sub: (album) => [album.artist, album.year].filter(Boolean).join(" · "),
    onmenu: albumMenu,
  });

/** A tile of an artist. */
export const artistTile = (isSeen = false) =>
  tile({
    isSeen,
    href: (artist) => link("artist", artist.id),
    title: (artist) => artist.name,
    sub: (artist) => t("count.albums", { n: artist.albums }),
    icon: "artist",
    round: true,
  });

/** @typedef {{icon: string, label: string, run: () => void, needs?: string, danger?: boolean} | Node} Item */

/** @type {() => Promise<typeof import("../views/sheets.js")>} */
let sheets;
/** Says where sheets are fetched from, which are made of these parts. @param {typeof sheets} fetch */
export const sheetsFrom = (fetch) => void (sheets = fetch);

/** Opens a sheet with actions. @param {{title: string, sub?: string, cover?: string | null, items: Item[]}} setting */
export const openSheet = async (setting) => (await sheets()).openSheet(setting);

/**
 * Asks for a line of text; null when it was not given. One that `pattern` does not match is answered by `rule`.
 * @param {{title: string, label: string, value?: string, ok: string, pattern?: RegExp, rule?: string}} question
 * @returns {Promise<string | null>}
 */
export const ask = async (question) => (await sheets()).ask(question);

/**
 * Asks whether something should really be done.
 * @param {string} title @param {string} text @param {string} ok
 * @returns {Promise<boolean>}
 */
export const confirmed = async (title, text, ok) => (await sheets()).confirmed(title, text, ok);

/** @param {any} song */
export const songMenu = async (song) => (await sheets()).songMenu(song);
/** @param {any} album */
export const albumMenu = async (album) => (await sheets()).albumMenu(album);
/** @param {string[]} uris */
export const toPlaylist = async (uris) => (await sheets()).toPlaylist(uris);

/**
 * The four ways in which music gets into the queue.
 * @param {{[name: string]: any}} what as `POST /api/queue` names it
 * @returns {Item[]}
 */
export const queueItems = (what) => [
  { icon: "play", label: t("menu.play"), needs: "player", run: () => enqueue(what, "play") },
  { icon: "addNext", label: t("menu.playNext"), needs: "add", run: () => enqueue(what, "next") },
  { icon: "addEnd", label: t("menu.add"), needs: "add", run: () => enqueue(what, "end") },
  { icon: "replace", label: t("menu.replace"), needs: "player", run: () => enqueue(what, "replace") },
];

/**
 * A rating of five stars in halves, 0 to 10: by tap, by arrow keys, by digits.
 * @param {"songs" | "albums" | "artists"} kind
 * @param {any} item
 */
export function rating(kind, item) {
  const value = () => marksOf(kind, item).rating ?? 0;
  const change = (/** @type {number} */ wanted) =>
    may("control") && mark(kind, item.id, { rating: wanted === value() ? null : Math.max(0, Math.min(10, wanted)) });
  return h("div.rating", {
    role: "slider", tabindex: 0, "aria-label": t("menu.rating"), "aria-valuemin": 0, "aria-valuemax": 10,
    "aria-valuenow": value, "aria-valuetext": () => t("menu.stars", { n: value() / 2 }),
    "aria-disabled": () => String(!may("control")),
    style: { "--filled": () => `${value() * 10}%` },
    onclick: (/** @type {MouseEvent} */ event) => {
      const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
      const part = (event.clientX - box.left) / box.width;
      change(Math.ceil(Math.max(0.01, document.dir === "rtl" ? 1 - part : part) * 10));
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const steps = /** @type {{[key: string]: number}} */ ({ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 });
      if (steps[event.key]) change(Math.max(0, Math.min(10, value() + steps[event.key])));
      else if (/^[0-5]$/.test(event.key)) change(Number(event.key) * 2);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  }, h("span.stars", { "aria-hidden": "true" }, ...Array.from({ length: 5 }, () => icon("starred"))),
    h("span.stars.on", { "aria-hidden": "true" }, ...Array.from({ length: 5 }, () => icon("starred"))));
}

/**
 * What a view shows when there is nothing, with what can be done about it.
 * @param {string} name an icon
 * @param {string} text
 * @param {...Node} more
 */
export const empty = (name, text, ...more) => h("div.empty", null, icon(name), h("p", null, text), ...more);

/**
 * The field that narrows a list down, as somebody types.
 * @param {string} value
 * @param {(words: string) => void} narrow
 */
export function filterField(value, narrow) {
  let timer = 0;
  onEnd(() => clearTimeout(timer));
  const field = h("input.filter", {
    type: "search", value, placeholder: t("browse.filter"), "aria-label": t("browse.filter"), name: "filter", autocomplete: "off",
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => narrow(field.value.trim()), 120);
    },
  });
  return field;
}

/**
 * A view's frame: a heading that stays in sight, and what scrolls below.
 * @param {string} title
 * @param {import("./dom.js").Child[]} tools
 * @param {...import("./dom.js").Child} content
 */
export const page = (title, tools, ...content) =>
  h("section.view.scroll", { tabindex: -1, "aria-label": title },
    h("header.bar", null, h("h1", { tabindex: -1 }, title), h("div.tools", null, ...tools)), ...content);

/**
 * Shows what a request brings: bones first, then the content, or the reason with "again".
 * @template T
 * @param {() => Promise<T>} ask
 * @param {(value: T) => import("./dom.js").Child} show
 * @param {import("./dom.js").Child} [bones]
 */
export function fetched(ask, show, bones) {
  const holder = h("div.fetched", { "aria-busy": "true" }, bones ?? h("div.bones"));
  const end = { now: () => {} };
  let [isOver, isShown, isMissing] = [false, false, false];
  const load = async () => {
    try {
      const value = await ask();
      if (isOver) return;
      [isShown, isMissing] = [true, false];
      end.now();
      const [made, stop] = untracked(() => scope(() => h("div.fetched-in", null, show(value))));
      end.now = stop;
      holder.replaceChildren(made);
    } catch (error) {
      if (isOver) return;
      isMissing = true;
      // What was shown before is worth more than the reason why there is nothing newer.
      if (isShown && error instanceof Refusal && error.status === 0) complain(error);
      else {
        isShown = false;
        holder.replaceChildren(empty("offline", /** @type {Error} */ (error).message,
          h("button.quiet", { type: "button", onclick: load }, t("error.again"))));
      }
    }
    holder.removeAttribute("aria-busy");
  };
  load();
  onEnd(on("found", () => isMissing && load()));
  onEnd(() => {
    isOver = true;
    end.now();
  });
  return { element: holder, reload: load };
}
