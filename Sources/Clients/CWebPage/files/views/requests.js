// Albums that are missing: found in Lidarr's catalogue, asked for, and on their way.
import { get, post } from "../js/api.js";
import { h } from "../js/dom.js";
import { cover, empty, fetched, icon, iconButton, needs, page } from "../js/parts.js";
import { back, link } from "../js/router.js";
import { onEnd, signal } from "../js/signals.js";
import { attempt, may, on, tell } from "../js/store.js";
import { number, t } from "../js/texts.js";

/** While the view is open the server polls Lidarr more often, if it hears at least so often that it is. */
const LOOK = 40_000;

/** How far an album is, in words. @param {any} album */
function progress(album) {
  const parts = [t(`requests.state.${album.state}`)];
  if (album.state === "loading" && album.percent !== null) parts.push(t("player.percent", { n: album.percent }));
  else if (album.state !== "here" && album.have > 0) parts.push(t("requests.some", { have: number(album.have), songs: number(album.songs) }));
  if (album.sentence) parts.push(album.sentence);
  return parts.join(" · ");
}

/** @param {any} found */
function result(found) {
  const album = signal(found);
  const ask = async () => {
    const made = await attempt(() => post("/api/requests", { album: found.id }), () => {
      album.value = { ...found, state: "asked" };
      return () => album.value = found;
    });
    if (!made) return;
    album.value = made;
    tell(t("requests.sent", { name: found.title }));
  };
  const art = cover(96, "album", "/picture");
  art.show(found.picture);
  return h("li.request", null, art.element,
    h("span.names", null, h("span.title", null, found.note ? `${found.title} (${found.note})` : found.title),
      h("span.sub", null, [found.artist, found.year, found.kind === "Album" ? null : found.kind, found.by ? t("requests.by", { name: found.by }) : null].filter(Boolean).join(" · ")),
      h("span.sub", { role: "status", hidden: () => album.value.state === "new" }, () => progress(album.value))),
    () => {
      const { state, albumId } = album.value;
      if (state === "new" || state === "missing") return h("button.primary", { type: "button", "aria-label": t("requests.askFor", { name: found.title }), onclick: ask, ...needs("control") }, t("requests.ask"));
      return albumId ? h("a.chip", { href: link("album", albumId) }, t("menu.goAlbum")) : null;
    });
}

/** Each artist whom a search has found, to see all that is missing. @param {any} answer */
const artists = (answer) => h("div.chips.wrap", { hidden: (answer.artists ?? []).length === 0 }, ...(answer.artists ?? []).map((/** @type {string} */ name) =>
  h("a.chip", { href: link("requests", name, { missing: "1" }) }, icon("artist"), `${t("requests.missing")}: ${name}`)));

/** @param {import("../js/router.js").Route} route */
export default function requestsView({ path, query }) {
  const words = signal(path[1] ?? "");
  const isArtist = query.has("missing");
  const field = h("input.search-field", { type: "search", name: "catalogue", value: words.peek(), placeholder: t("requests.placeholder"), "aria-label": t("requests.placeholder"), autocomplete: "off", enterkeyhint: "search", minlength: 2, maxlength: 200, ...needs("control") });
  const list = fetched(() => get("/api/requests"), (answer) => answer.items.length === 0 ? empty("plus", t("requests.none")) : h("ul.plain-list", null, ...answer.items.map(result)));
  onEnd(on("requests", list.reload));
  const timer = setInterval(() => document.hidden || list.reload(), LOOK);
  onEnd(() => clearInterval(timer));
  const view = page(t("nav.requests"), [],
    h("form.search-form", { role: "search", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      words.value = field.value.trim();
    } }, icon("search"), field),
    () => (may("control") ? null : h("p.sub", null, t("needs.permission", { permission: "control" }))),
    () => (words.value.length > 1 ? fetched(() => isArtist && words.value === path[1] ? get("/api/requests/missing", { artist: words.value }) : get("/api/requests/search", { q: words.value }),
      (answer) => h("div", null, artists(answer), answer.items.length === 0 ? empty("search", t("search.nothing", { words: words.peek() })) : h("ul.plain-list", null, ...answer.items.map(result)))).element : null),
    h("h2.group-title", null, t("requests.open")), list.element);
  view.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/library")));
  return view;
}
