// Albums that are missing: found in Lidarr's catalogue, asked for, and on their way.
import { get, post } from "../js/api.js";
import { h } from "../js/dom.js";
import { empty, fetched, icon, iconButton, needs, page } from "../js/parts.js";
import { back } from "../js/router.js";
import { onEnd, signal } from "../js/signals.js";
import { attempt, on, tell } from "../js/store.js";
import { t } from "../js/texts.js";

/** @param {any} album */
function result(album) {
  const state = signal(album.state ?? "new");
  const ask = async () => {
    if (await attempt(() => post("/api/requests", { album: album.id, artist: album.artist, title: album.title }), () => {
      state.value = "asked";
      return () => state.value = album.state ?? "new";
    }) !== undefined) tell(t("requests.sent", { name: album.title }));
  };
  return h("li.request", null,
    h("span.names", null, h("span.title", null, album.title), h("span.sub", null, [album.artist, album.year ?? (album.releaseDate ?? "").slice(0, 4), album.progress].filter(Boolean).join(" · "))),
    () => state.value === "new" || state.value === "missing"
      ? h("button.primary", { type: "button", onclick: ask, ...needs("control") }, t("requests.ask"))
      : h("span.chip", null, album.sentence ?? t("requests.asked")));
}

/** @param {import("../js/router.js").Route} route */
export default function requestsView({ path }) {
  const words = signal(path[1] ?? "");
  const field = h("input.search-field", { type: "search", name: "catalogue", value: words.peek(), placeholder: t("requests.placeholder"), "aria-label": t("requests.placeholder"), autocomplete: "off", enterkeyhint: "search" });
  const list = fetched(() => get("/api/requests"), (answer) => answer.items.length === 0 ? empty("plus", t("requests.none")) : h("ul.plain-list", null, ...answer.items.map(result)));
  onEnd(on("requests", list.reload));
  const view = page(t("nav.requests"), [],
    h("form.search-form", { role: "search", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); words.value = field.value.trim(); } }, icon("search"), field),
    () => (words.value ? fetched(() => get("/api/requests/search", { q: words.value }),
      (answer) => answer.items.length === 0 ? empty("search", t("search.nothing", { words: words.peek() })) : h("ul.plain-list", null, ...answer.items.map(result))).element : null),
    h("h2.group-title", null, t("requests.open")), list.element);
  view.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/library")));
  return view;
}
