// Search as you type, in groups; answers that come too late are dropped.
import { get } from "../js/api.js";
import { h } from "../js/dom.js";
import { albumTile, artistTile, empty, icon, needs, page, songRow, tile } from "../js/parts.js";
import { link } from "../js/router.js";
import { onEnd, scope, signal } from "../js/signals.js";
import { enqueue, on, tapMeans } from "../js/store.js";
import { number, t } from "../js/texts.js";
import { marked, selectable, selecting, selectionBar, songTools, tick } from "./selection.js";

const PAUSE = 120;
const REMEMBERED = 8;

/** @returns {string[]} */
function recent() {
  try {
    const kept = JSON.parse(localStorage.getItem("searches") ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

/** @param {string} words */
const rememberWords = (words) =>
  localStorage.setItem("searches", JSON.stringify([words, ...recent().filter((each) => each !== words)].slice(0, REMEMBERED)));

/** @param {string} title @param {any} group @param {() => import("../js/list.js").Cell} make @param {string} kind @param {string | null} all */
function group(title, group, make, kind, all) {
  if (!group?.items?.length) return null;
  return h("section.group", { "aria-label": title },
    h("header.shelf-head", null, h("h2", null, title, " ", h("span.sub", null, number(group.total))),
      all && group.total > group.items.length ? h("a.quiet-link", { href: all }, t("search.all")) : null),
    h(kind, { role: "list" }, ...group.items.map((/** @type {any} */ item, /** @type {number} */ index) => {
      const cell = make();
      cell.update(item, index);
      return cell.element;
    })));
}

/** What can be done with an address that was pasted or shared. @param {string} uri */
const address = (uri) =>
  h("section.group.address", { "aria-label": t("radio.address") },
    h("p.sub", null, uri),
    h("div.play-all", null,
      h("button.primary", { type: "button", "data-main": true, onclick: () => enqueue({ uris: [uri] }, "play"), ...needs("player") }, icon("play"), t("menu.play")),
      h("button.quiet", { type: "button", onclick: () => enqueue({ uris: [uri] }, "end"), ...needs("add") }, icon("addEnd"), t("menu.add"))));

/** The songs that were found, which can be selected. @param {any} group_ @param {string} all @param {HTMLElement} view */
function songGroup(group_, all, view) {
  const items = group_?.items ?? [];
  const held = selecting((index) => items[index], (song) => song.id, () => items);
  const shown = group(t("nav.songs"), group_, () => {
    const row = marked(songRow({ onplay: (song) => enqueue({ songs: [song.id] }, tapMeans()), before: [tick()] }), held);
    row.element.classList.add("cell");
    return { element: row.element, update: (item, index) => {
      row.element.dataset.index = String(index);
      row.update(item, index);
    } };
  }, "div.rows", all);
  if (!shown) return null;
  selectable(shown, held);
  return [selectionBar(held, view, songTools(held)), shown];
}

/** @param {any} found @param {string} words @param {HTMLElement} view */
function results(found, words, view) {
  const all = (/** @type {string} */ view) => link(view, null, { q: words });
  const parts = [
    group(t("nav.artists"), found.artists, artistTile, "div.shelf-row", all("artists")),
    group(t("nav.albums"), found.albums, albumTile, "div.shelf-row", all("albums")),
    songGroup(found.songs, all("songs"), view),
    group(t("nav.playlists"), found.playlists, () => tile({ href: (each) => link("playlist", each.name), title: (each) => each.name,
      sub: (each) => (each.songs ? t("count.songs", { n: each.songs }) : ""), icon: "playlist" }), "div.shelf-row", null),
    group(t("nav.radio"), found.stations, () => tile({ href: (each) => link("zap", each.id), title: (each) => each.name,
      sub: (each) => each.genre ?? each.country ?? "", icon: "radio", cover: (each) => each.picture, path: "/picture" }), "div.shelf-row", null),
    group(t("nav.genres"), found.genres, () => tile({ href: (each) => link("albums", null, { genre: each.name }), title: (each) => each.name,
      sub: (each) => t("count.songs", { n: each.songs }), icon: "genre" }), "div.shelf-row", null),
  ].filter(Boolean);
  return parts.length > 0 ? parts : empty("search", t("search.nothing", { words }));
}

/** Whether an expression of MPD's filters still lacks a bracket or a quote. @param {string} text */
function isUnfinished(text) {
  if (!text.startsWith("(")) return false;
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "");
  return /["']/.test(bare) || bare.split("(").length !== bare.split(")").length;
}

/** @param {import("../js/router.js").Route} route */
export default function searchView({ path }) {
  const words = signal(path[1] ?? "");
  const holder = h("div.results", { "aria-live": "polite" });
  const note = h("p.search-note", { role: "status" });
  let isMissing = false;
  onEnd(on("found", () => isMissing && find()));
  /** @type {AbortController | null} */
  let asked = null;
  let timer = 0;
  /** @type {() => void} */
  let end = () => {};
  const showOld = () => {
    end();
    end = () => {};
    const kept = recent();
    holder.replaceChildren(kept.length === 0 ? empty("search", t("search.hint")) : h("section.group", { "aria-label": t("search.recent") },
      h("header.shelf-head", null, h("h2", null, t("search.recent")),
        h("button.quiet-link", { type: "button", onclick: () => { localStorage.removeItem("searches"); showOld(); } }, t("search.forget"))),
      h("div.chips.wrap", null, ...kept.map((each) => h("button.chip", { type: "button", onclick: () => { field.value = each; find(); } }, each)))));
  };
  /** What is shown belongs to other words. @param {string} reason */
  const holdBack = (reason) => {
    note.textContent = reason;
    holder.classList.add("outdated");
    holder.inert = true;
  };
  const find = async () => {
    const text = field.value.trim();
    words.value = text;
    asked?.abort();
    note.textContent = "";
    holder.classList.remove("outdated");
    holder.inert = false;
    isMissing = false;
    if ([...text].length < 2) return showOld();
    if (/^https?:\/\/[^\s/]+\S*$/i.test(text)) {
      end();
      const [shown, stop] = scope(() => address(text));
      end = stop;
      return holder.replaceChildren(shown);
    }
    // An expression that is still being typed means nothing yet.
    if (isUnfinished(text)) return holdBack(t("search.unfinished"));
    const mine = asked = new AbortController();
    history.replaceState(history.state, "", link("search", text));
    try {
      const found = await get("/api/search", { q: text, count: 12 }, mine.signal);
      if (mine.signal.aborted) return;
      end();
      const [shown, stop] = scope(() => h("div", null, results(found, text, holder)));
      end = stop;
      holder.replaceChildren(shown);
    } catch (error) {
      if (mine.signal.aborted) return;
      isMissing = true;
      holdBack(/** @type {Error} */ (error).message);
    }
  };
  const field = h("input.search-field", {
    type: "search", value: words.peek(), placeholder: t("search.placeholder"), "aria-label": t("nav.search"), name: "search",
    autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search",
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(find, PAUSE);
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && field.value.trim()) rememberWords(field.value.trim());
      if (event.key === "ArrowDown") /** @type {HTMLElement | null} */ (holder.querySelector("[data-main]"))?.focus();
    },
  });
  holder.addEventListener("click", () => words.peek() && rememberWords(words.peek()), true);
  onEnd(() => {
    asked?.abort();
    clearTimeout(timer);
    end();
  });
  find();
  if (matchMedia("(pointer: fine)").matches) requestAnimationFrame(() => field.focus());
  return page(t("nav.search"), [], h("form.search-form", { role: "search", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); field.blur(); find(); } },
    icon("search"), field), note, holder);
}
