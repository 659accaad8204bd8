// An artist: albums, and playing all of it.
import { get } from "../js/api.js";
import { h } from "../js/dom.js";
import { albumTile, artistTile, cover, empty, fetched, icon, iconButton, needs, openSheet, page, queueItems, waitingMark } from "../js/parts.js";
import { back, link, viewTitle } from "../js/router.js";
import { onChange, onEnd } from "../js/signals.js";
import { enqueue, mark, marksOf, marksElsewhere, on, server, waits } from "../js/store.js";
import { t } from "../js/texts.js";
import { heroTitle } from "./hero.js";

/** @param {any} artist */
function show(artist) {
  const art = cover(320, "artist");
  art.show(artist.cover);
  art.element.classList.add("big");
  const isStarred = () => marksOf("artists", artist).starred;
  const albums = [...artist.albums ?? []].sort((one, other) => (other.year ?? 0) - (one.year ?? 0));
  return [
    h("div.hero.round", null, art.element,
      h("div.hero-names", null,
        heroTitle(artist.name),
        h("p.sub", null, [t("count.albums", { n: albums.length }), t("count.songs", { n: artist.songs })].join(" · ")),
        h("div.play-all", null,
          h("button.primary", { type: "button", onclick: () => enqueue({ artist: artist.id }, "replace"), ...needs("player") }, icon("play"), t("menu.play")),
          h("button.icon-button.star", { type: "button", "aria-pressed": () => String(isStarred()), "aria-label": () => t(isStarred() ? "menu.unstar" : "menu.star"),
            onclick: () => mark("artists", artist.id, { starred: !isStarred() }), ...needs("control") }, () => icon(isStarred() ? "starred" : "star")),
          waitingMark(() => waits("artists", artist.name)),
          iconButton("more", t("menu.moreFor", { name: artist.name }), () => openSheet({ title: artist.name, cover: artist.cover, items: [
            ...queueItems({ artist: artist.id }),
            { icon: "song", label: t("artist.songs"), run: () => location.hash = link("songs", null, { artist: artist.id }) },
            ...(server.peek().requests ? [{ icon: "plus", label: t("requests.missing"), run: () => location.hash = link("requests", artist.name, { missing: "1" }) }] : []),
          ] }))))),
    albums.length === 0 ? empty("album", t("browse.nothing")) : h("div.tiles", { role: "list", "aria-label": t("nav.albums") }, ...albums.map((album, index) => {
      const cell = albumTile();
      cell.update(album, index);
      return cell.element;
    })),
  ];
}

/** Artists that the library's server finds like one; they come after the albums, as late as the server says them. @param {string} id */
function similar(id) {
  const title = t("artist.similar");
  const element = h("section.shelf.similar", { "aria-label": title, hidden: true }, h("header.shelf-head", null, h("h2", null, title)));
  const content = fetched(() => get(`/api/artists/${encodeURIComponent(id)}/similar`), ({ items, others }) => {
    element.hidden = items.length + others.length === 0;
    return [
      items.length === 0 ? null : h("div.shelf-row", { role: "list", "aria-label": title }, ...items.map((/** @type {any} */ artist, /** @type {number} */ index) => {
        const cell = artistTile();
        cell.update(artist, index);
        return cell.element;
      })),
      others.length === 0 ? null : h("p.sub.others", null, t("artist.others"), ...others.flatMap((/** @type {string} */ name, /** @type {number} */ index) =>
        [index > 0 ? " · " : " ", h("bdi", null, name)])),
    ];
  }, []);
  element.append(content.element);
  return element;
}

/** @param {import("../js/router.js").Route} route */
export default function artistView({ path }) {
  const view = page(t("nav.artist"), []);
  view.classList.add("artist-view");
  const content = fetched(() => get(`/api/artists/${encodeURIComponent(path[1] ?? "")}`), (artist) => {
    view.setAttribute("aria-label", artist.name);
    viewTitle.value = artist.name;
    const title = view.querySelector("h1");
    if (title) title.textContent = artist.name;
    return show(artist);
  }, h("div.hero.round.bones", null, h("div.cover.big"), h("div.hero-names")));
  view.append(content.element, similar(path[1] ?? ""));
  view.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/artists")));
  onEnd(on("library", content.reload));
  onChange(marksElsewhere, content.reload);
  return view;
}
