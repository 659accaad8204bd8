// The ways into the library.
import { get } from "../js/api.js";
import { h } from "../js/dom.js";
import { icon, page } from "../js/parts.js";
import { link } from "../js/router.js";
import { onEnd, signal } from "../js/signals.js";
import { library, on, server } from "../js/store.js";
import { number, t } from "../js/texts.js";

/**
 * How many albums and artists the lists have. What MPD counts are names: two albums of one title are one there.
 * @param {"albums" | "artists"} kind
 */
export function listed(kind) {
  const total = signal(/** @type {number | null} */ (null));
  const read = () => get(`/api/${kind}`, { count: 0 }).then((answer) => total.value = answer.total, () => {});
  read();
  for (const news of ["library", "found"]) onEnd(on(news, read));
  return () => number(total.value ?? library.value[kind]);
}

/** @param {string} target @param {string} name @param {string} label @param {() => string} [count] */
const entry = (target, name, label, count) =>
  h("a.entry", { href: target }, icon(name), h("span", null, label), h("span.sub", null, count ?? ""), icon("right"));

export default function libraryView() {
  return page(t("nav.library"), [],
    h("nav.entries", { "aria-label": t("nav.library") },
      entry("#/artists", "artist", t("nav.artists"), listed("artists")),
      entry("#/albums", "album", t("nav.albums"), listed("albums")),
      entry("#/songs", "song", t("nav.songs"), () => number(library.value.songs)),
      entry("#/playlists", "playlist", t("nav.playlists")),
      entry("#/genres", "genre", t("nav.genres")),
      entry("#/years", "year", t("nav.years")),
      entry("#/folders", "folder", t("nav.folders"))),
    h("nav.entries", { "aria-label": t("library.lists") },
      entry(link("albums", null, { sort: "-added" }), "recent", t("home.added")),
      entry(link("albums", null, { heard: "1", sort: "-played" }), "recent", t("home.played")),
      entry(link("songs", null, { heard: "0", sort: "-added" }), "song", t("library.unheard")),
      entry(link("songs", null, { starred: "1" }), "starred", t("library.starredSongs")),
      entry(link("songs", null, { sort: "-rating" }), "star", t("library.bestRated")),
      entry(link("albums", null, { sort: "random" }), "random", t("home.random")),
      () => (server.value.requests ? entry("#/requests", "plus", t("nav.requests")) : null)));
}
