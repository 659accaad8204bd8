// The stored playlists.
import { mpd, Windows } from "../js/api.js";
import { h } from "../js/dom.js";
import { virtualList } from "../js/list.js";
import { ask, confirmed, cover, empty, filterField, iconButton, openSheet, page, queueItems, waitingMark } from "../js/parts.js";
import { back, go, link } from "../js/router.js";
import { effect, onEnd, signal } from "../js/signals.js";
import { attempt, on, playlists, tell, waits } from "../js/store.js";
import { span, t } from "../js/texts.js";

/** Segue's own lists have brackets around their names, which only tell them apart from people's. @param {string} name */
export const shownName = (name) => name.replace(/^\[(.+)\]$/, "$1");

/** Whose a playlist is that can't be edited here. @param {{name: string, readOnly: boolean, owner: string | null}} playlist */
const origin = ({ name, readOnly, owner }) =>
  !readOnly ? "" : owner ? t("playlists.of", { name: owner }) : t(name.startsWith("[") ? "playlists.automatic" : "playlists.smart");

/** What can be done with a playlist. @param {{name: string, readOnly?: boolean}} playlist @param {() => void} [gone] */
export function playlistMenu({ name, readOnly }, gone = () => {}) {
  openSheet({
    title: name,
    items: [
      ...queueItems({ playlist: name }),
      ...(readOnly ? [] : [
        { icon: "edit", label: t("playlists.rename"), needs: "control", run: async () => {
          const next = await ask({ title: t("playlists.rename"), label: t("playlists.name"), value: name, ok: t("playlists.rename") });
          if (next && next !== name && await attempt(() => mpd([["rename", name, next]]))) go(link("playlist", next), { replace: true });
        } },
        { icon: "trash", label: t("playlists.delete"), needs: "control", danger: true, run: async () => {
          if (!await confirmed(t("playlists.delete"), t("playlists.deleteSure", { name }), t("playlists.delete"))) return;
          if (await attempt(() => mpd([["rm", name]]))) {
            tell(t("notice.deleted", { name }));
            gone();
          }
        } },
      ]),
    ],
  });
}

/** @returns {import("../js/list.js").Cell} */
function row() {
  const shown = signal(/** @type {any} */ (null));
  const [name, sub] = [h("span.title"), h("span.sub")];
  const art = cover(96, "playlist", "/cover", true);
  const main = h("a.main", { href: "#/playlists", "data-main": true }, art.element, h("span.names", null, name, sub));
  const element = h("div.row", { role: "listitem" }, h("div.slide", null, main,
    waitingMark(() => waits("playlists", shown.value?.name)), iconButton("more", () => t("menu.moreFor", { name: shown.value?.name ?? "" }), () => shown.peek() && playlistMenu(shown.peek()))));
  return {
    element,
    update: (/** @type {any} */ next) => {
      shown.value = next;
      element.classList.toggle("skeleton", !next);
      name.textContent = shownName(next?.name ?? "");
      art.show(next?.cover);
      sub.textContent = next ? [origin(next), next.conflictOf ? t("playlists.conflict") : "", next.songs === null || next.songs === undefined ? "" : t("count.songs", { n: next.songs }), span(next.duration)].filter(Boolean).join(" · ") : "";
      if (next) main.setAttribute("href", link("playlist", next.name));
    },
  };
}

export default function playlistsView() {
  const source = new Windows("/api/playlists");
  const list = virtualList({ source, label: t("nav.playlists"), row: 64, render: row });
  let count = playlists.peek();
  effect(() => {
    if (playlists.value !== count) source.reload();
    count = playlists.value;
  });
  onEnd(on("status", () => source.reload()));
  const words = signal("");
  const filter = filterField("", (q) => {
    words.value = q;
    source.narrow({ q });
  });
  const view = page(t("nav.playlists"), [iconButton("plus", t("playlists.fromQueue"), async () => {
    const name = await ask({ title: t("playlists.fromQueue"), label: t("playlists.name"), ok: t("playlists.create") });
    if (name && await attempt(() => mpd([["save", name]]))) tell(t("notice.saved", { name }));
  })], h("div.list-head", null, filter), list.element,
    () => source.error.value && source.total.value === null ? empty("offline", source.error.value.message) : null,
    () => (source.total.value === 0 ? empty("playlist", t(words.value ? "search.nothing" : "playlists.none", { words: words.value })) : null));
  view.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/library")));
  return view;
}
