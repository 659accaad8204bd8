// The tree of paths, as MPD's clients see it.
import { post, Windows } from "../js/api.js";
import { h } from "../js/dom.js";
import { virtualList } from "../js/list.js";
import { empty, filterField, icon, iconButton, openSheet, page, queueItems, songMenu } from "../js/parts.js";
import { back, link } from "../js/router.js";
import { onEnd, signal } from "../js/signals.js";
import { attempt, enqueue, on, tapMeans, tell } from "../js/store.js";
import { clock, t } from "../js/texts.js";

/** @returns {import("../js/list.js").Cell} */
function row() {
  /** @type {any} */
  let item;
  const [name, sub, time] = [h("span.title"), h("span.sub"), h("span.time")];
  const sign = h("span.cover");
  const names = h("span.names", null, name, sub);
  const folder = h("a.main", { href: "#/folders", "data-main": true });
  const song = h("button.main", { type: "button", "data-main": true, onclick: () => item && enqueue({ uris: [item.uri] }, tapMeans()) });
  const more = iconButton("more", t("menu.more"), () => {
    if (item?.kind === "song") songMenu(item);
    else if (item?.kind === "folder") openSheet({ title: item.name, items: queueItems({ folder: item.path }) });
    else if (item) openSheet({ title: item.name, items: queueItems({ playlist: item.path }) });
  });
  const slide = h("div.slide", null, time, more);
  const element = h("div.row", { role: "listitem" }, slide);
  return {
    element,
    update: (/** @type {any} */ next) => {
      item = next;
      element.classList.toggle("skeleton", !next);
      const main = next?.kind === "song" || next?.kind === "playlist" ? song : folder;
      main.replaceChildren(sign, names);
      if (slide.firstChild !== main) {
        (main === song ? folder : song).remove();
        slide.prepend(main);
      }
      sign.replaceChildren(icon(next?.kind === "song" ? "song" : next?.kind === "playlist" ? "playlist" : "folder"));
      name.textContent = next ? next.title || next.name || next.uri : "";
      more.setAttribute("aria-label", t("menu.moreFor", { name: name.textContent }));
      sub.textContent = next?.kind === "song" ? next.artist ?? "" : "";
      time.textContent = next?.duration ? clock(next.duration) : "";
      if (next?.kind === "folder") folder.setAttribute("href", link("folders", next.path));
    },
  };
}

/** @param {string} path */
const crumbs = (path) => {
  const parts = path.split("/").filter(Boolean);
  return h("nav.crumbs", { "aria-label": t("folders.path") },
    h("a", { href: "#/folders" }, t("nav.folders")),
    ...parts.map((part, index) => [h("span", { "aria-hidden": "true" }, " › "),
      h("a", { href: link("folders", parts.slice(0, index + 1).join("/")), "aria-current": index === parts.length - 1 ? "page" : null }, part)]));
};

/** @param {import("../js/router.js").Route} route */
export default function foldersView({ path }) {
  const folder = path[1] ?? "";
  const source = new Windows("/api/folders", { path: folder });
  const list = virtualList({ source, label: t("nav.folders"), row: 64, render: row });
  onEnd(on("library", () => source.reload()));
  onEnd(on("found", () => source.reload()));
  const words = signal("");
  const filter = filterField("", (q) => {
    words.value = q;
    source.narrow({ q });
  });
  const name = folder.split("/").at(-1) || t("nav.folders");
  const view = page(name, [iconButton("more", t("menu.more"), () => openSheet({ title: name, items: [
    ...(folder ? queueItems({ folder }) : []),
    { icon: "replace", label: t("folders.update"), needs: "control", run: async () => {
      if (await attempt(() => post("/api/mpd", [folder ? ["update", folder] : ["update"]]))) tell(t("notice.updating"));
    } },
  ] }))], folder ? crumbs(folder) : null, h("div.list-head", null, filter), list.element,
    () => source.error.value && source.total.value === null ? empty("offline", source.error.value.message) : null,
    () => source.total.value === 0 ? empty("folder", t(words.value ? "search.nothing" : "browse.nothing", { words: words.value })) : null);
  view.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/library")));
  return view;
}
