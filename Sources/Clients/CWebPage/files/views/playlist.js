// A playlist: playing it, and putting it in order.
import { mpd } from "../js/api.js";
import { h } from "../js/dom.js";
import { dragRows, swipeRows } from "../js/gestures.js";
import { virtualList } from "../js/list.js";
import { empty, icon, iconButton, needs, openSheet, page, queueItems, songRow, waitingMark } from "../js/parts.js";
import { back, link } from "../js/router.js";
import { effect } from "../js/signals.js";
import { attempt, enqueue, may, tapMeans, tell, waits } from "../js/store.js";
import { span, t } from "../js/texts.js";
import { PlaylistSource } from "./playlist-source.js";
import { playlistMenu, shownName } from "./playlists.js";
import { marked, reading, selectable, selecting, selectionBar, songTools, taken, tick } from "./selection.js";

/** @param {import("../js/router.js").Route} route */
export default function playlistView({ path }) {
  const name = path[1] ?? "";
  const isOurs = name.startsWith("[");
  const source = new PlaylistSource(name);
  const { info, error, total } = source;
  const canEdit = () => !isOurs && !info.peek()?.readOnly && may("control");
  const change = (/** @type {any[]} */ next, /** @type {string[]} */ command) =>
    attempt(() => mpd([command]), () => source.show(next));
  const take = async (/** @type {number} */ index) => {
    const before = source.rows();
    const song = before[index];
    if (!song) return;
    if (!await change(before.toSpliced(index, 1), ["playlistdelete", name, String(index)])) return;
    tell(t("notice.removed", { n: 1 }), { label: t("menu.undo"), run: () => attempt(() => mpd([["playlistadd", name, song.uri, String(index)]])) });
  };
  const move = (/** @type {number} */ from, /** @type {number} */ to) => {
    const before = source.rows();
    if (to < 0 || to >= before.length) return;
    change(before.toSpliced(from, 1).toSpliced(to, 0, before[from]), ["playlistmove", name, String(from), String(to)]);
  };
  // A song may stand in a playlist twice, so that its place is what tells one from the other.
  const chosen = selecting((index) => source.get(index), (_song, index) => String(index), reading(source));
  effect(() => {
    source.edition.value;
    chosen.end();
  });
  const takeAll = async () => {
    const songs = taken(chosen);
    if (songs.length === 0) return;
    const gone = new Set(songs.map((song) => song.at));
    const commands = songs.toReversed().map((song) => ["playlistdelete", name, String(song.at)]);
    const done = await attempt(() => mpd(commands),
      () => source.show(source.rows().filter((_song, at) => !gone.has(at))));
    if (done) tell(t("notice.removed", { n: songs.length }), { label: t("menu.undo"),
      run: () => void attempt(() => mpd(songs.map((song) => ["playlistadd", name, song.uri, String(song.at)]))) });
  };
  const menu = (/** @type {any} */ song, /** @type {number} */ index) => openSheet({
    title: song.title, sub: song.artist, cover: song.cover,
    items: [...queueItems({ uris: [song.uri] }), ...(isOurs || info.peek()?.readOnly ? [] : [
      { icon: "up", label: t("queue.up"), needs: "control", run: () => move(index, index - 1) },
      { icon: "down", label: t("queue.down"), needs: "control", run: () => move(index, index + 1) },
      { icon: "top", label: t("queue.top"), needs: "control", run: () => move(index, 0) },
      { icon: "trash", label: t("playlists.take"), needs: "control", danger: true, run: () => take(index) },
    ])],
  });
  const list = virtualList({
    source, label: name, row: 64,
    render: () => {
      const row = songRow({ onplay: (song) => enqueue({ uris: [song.uri] }, tapMeans()), onmenu: menu, before: [tick()], after: isOurs ? [] : [h("span.handle", { "aria-hidden": "true" }, icon("handle"))] });
      row.element.append(h("span.under", { "aria-hidden": "true" }, icon("addNext"), icon("trash")));
      return marked(row, chosen);
    },
  });
  selectable(list.element, chosen);
  if (!isOurs) {
    swipeRows(list.element, { left: (index) => { if (canEdit()) take(index); },
      right: (index) => { const song = source.get(index); if (song && may("add")) enqueue({ uris: [song.uri] }, "next"); },
      isOff: () => chosen.selection.peek() !== null });
    dragRows(list, { drop: (from, to) => { if (canEdit()) move(from, to); } });
  }
  const view = page(shownName(name), [iconButton("select", t("queue.select"), chosen.begin), iconButton("more", t("menu.more"), () => playlistMenu({ name, readOnly: isOurs || info.peek()?.readOnly }, () => back("#/playlists")))],
    h("div.list-head", null,
      h("p.summary", null, () => info.value ? [t("count.songs", { n: total.value ?? 0 }), span(info.value.duration)].filter(Boolean).join(" · ") : " ",
        waitingMark(() => waits("playlists", name))),
      () => (info.value?.conflictOf ? h("p.sub", null, t("playlists.conflictIs", { name: info.value.conflictOf }), " ", h("a", { href: link("playlist", info.value.conflictOf) }, t("playlists.other"))) : null),
      h("div.play-all", { hidden: () => total.value === null && !!error.value },
        h("button.primary", { type: "button", onclick: () => enqueue({ playlist: name }, "replace"), ...needs("player") }, icon("play"), t("menu.play")),
        h("button.quiet", { type: "button", onclick: () => enqueue({ playlist: name }, "end"), ...needs("add") }, icon("addEnd"), t("menu.add")))),
    list.element,
    () => (error.value && total.value === null ? empty("offline", error.value.message, h("button.quiet", { type: "button", onclick: () => source.reload() }, t("error.again"))) : null),
    () => (total.value === 0 ? empty("playlist", t("playlists.empty")) : null));
  list.element.before(selectionBar(chosen, view, [...songTools(chosen),
    ...(isOurs ? [] : [iconButton("trash", t("playlists.take"), takeAll, needs("control"))])]));
  view.querySelector("header.bar")?.prepend(iconButton("left", t("menu.back"), () => back("#/playlists")));
  return view;
}
