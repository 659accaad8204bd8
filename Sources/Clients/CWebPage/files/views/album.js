// An album: its picture and colours, what it is, its songs.
import { get } from "../js/api.js";
import { coloursOf, isDark, theme } from "../js/colours.js";
import { h } from "../js/dom.js";
import { albumMenu, cover, fetched, icon, iconButton, needs, page, rating, songRow, waitingMark } from "../js/parts.js";
import { back, link, viewTitle } from "../js/router.js";
import { onChange, onEnd } from "../js/signals.js";
import { enqueue, mark, marksOf, marksElsewhere, on, tapMeans, waits } from "../js/store.js";
import { span, t } from "../js/texts.js";
import { heroTitle } from "./hero.js";
import { marked, selectable, selecting, selectionBar, songTools, tick } from "./selection.js";

/** The star, the four ways to play, and more. @param {any} album */
function tools(album) {
  const isStarred = () => marksOf("albums", album).starred;
  return h("div.play-all", null,
    h("button.primary", { type: "button", onclick: () => enqueue({ album: album.id }, "replace"), ...needs("player") }, icon("play"), t("menu.play")),
    h("button.quiet", { type: "button", onclick: () => enqueue({ album: album.id }, "next"), ...needs("add") }, icon("addNext"), t("menu.playNext")),
    h("button.quiet.only-wide", { type: "button", onclick: () => enqueue({ album: album.id }, "end"), ...needs("add") }, icon("addEnd"), t("menu.add")),
    h("button.icon-button.star", { type: "button", "aria-pressed": () => String(isStarred()), "aria-label": () => t(isStarred() ? "menu.unstar" : "menu.star"),
      onclick: () => mark("albums", album.id, { starred: !isStarred() }), ...needs("control") }, () => icon(isStarred() ? "starred" : "star")),
    iconButton("more", t("menu.moreFor", { name: album.title }), () => albumMenu(album)));
}

/** @param {any[]} songs @param {any} album @param {HTMLElement} view */
function songs(songs, album, view) {
  const held = selecting((index) => songs[index], (song, index) => song.id ?? String(index), () => songs);
  /** @type {Map<number, any[]>} */
  const discs = new Map();
  songs.forEach((song, index) => {
    const disc = song.disc ?? 1;
    discs.set(disc, [...discs.get(disc) ?? [], { ...song, at: index }]);
  });
  // A tap plays the album from that song on, which is what it looks like.
  const play = async (/** @type {any} */ song) => {
    const how = tapMeans();
    if (how !== "play") return enqueue({ songs: [song.id] }, how);
    const rest = songs.slice(song.at).map((each) => each.id).filter(Boolean);
    await enqueue({ songs: rest }, "replace");
  };
  const shown = h("div.discs", null, ...[...discs].map(([disc, list]) => [
    discs.size > 1 ? h("h2.disc", null, t("album.disc", { disc: String(disc) })) : null,
    h("div.rows", { role: "list", "aria-label": album.title }, ...list.map((song) => {
      const row = marked(songRow({ onplay: play, numbered: true, before: [tick()] }), held);
      row.update(song, song.at);
      row.element.classList.add("cell");
      row.element.dataset.index = String(song.at);
      return row.element;
    })),
  ]));
  selectable(shown, held);
  return [
    selectionBar(held, view, songTools(held)), shown,
    songs.length > 1 ? h("div.play-all.below", null, h("button.quiet", { type: "button", onclick: held.begin }, icon("select"), t("queue.select"))) : null,
  ];
}

/** @param {any} album @param {HTMLElement} view */
function show(album, view) {
  const art = cover(640, "album");
  art.show(album.cover);
  art.element.classList.add("big");
  coloursOf(album.cover).then((found) => {
    if (!found) return;
    for (const [name, value] of Object.entries(theme(found, isDark()))) view.style.setProperty(name, value);
    view.classList.add("tinted");
  });
  return [
    h("div.hero", null, art.element,
      h("div.hero-names", null,
        heroTitle(album.title),
        h("p", null, album.artistId ? h("a", { href: link("artist", album.artistId) }, album.artist) : album.artist),
        h("p.sub", null, [album.year, t("count.songs", { n: album.songs }), span(album.duration)].filter(Boolean).join(" · ")),
        h("div.rated", null, rating("albums", album), waitingMark(() => waits("albums", album.id))), tools(album))),
    ...songs(album.items ?? [], album, view),
  ];
}

/** @param {import("../js/router.js").Route} route */
export default function albumView({ path }) {
  const view = page(t("nav.album"), []);
  const content = fetched(() => get(`/api/albums/${encodeURIComponent(path[1] ?? "")}`), (album) => {
    view.setAttribute("aria-label", album.title);
    viewTitle.value = album.title;
    const title = view.querySelector("h1");
    if (title) title.textContent = album.title;
    return show(album, view);
  }, h("div.hero.bones", null, h("div.cover.big"), h("div.hero-names")));
  view.classList.add("album-view");
  view.append(content.element);
  view.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/albums")));
  onEnd(on("library", content.reload));
  onChange(marksElsewhere, content.reload);
  return view;
}
