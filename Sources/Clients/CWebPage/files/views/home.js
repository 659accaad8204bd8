// The first view: what is new, what was liked, and something at random, each a shelf that scrolls sideways.
import { get } from "../js/api.js";
import { h } from "../js/dom.js";
import { albumTile, empty, fetched, icon, iconButton, needs, openSheet, page, queueItems, tile } from "../js/parts.js";
import { link } from "../js/router.js";
import { effect, here, signal, untracked } from "../js/signals.js";
import { attempt, connection, enqueue, isReady, library, playlists, serverState, sync, tell, waiting } from "../js/store.js";
import { language, number, t } from "../js/texts.js";

/**
 * A row of tiles.
 * @param {string} title
 * @param {string} target of "all"
 * @param {() => Promise<any>} ask
 * @param {() => import("../js/list.js").Cell} make
 * @param {import("../js/dom.js").Child} [tool]
 * @param {boolean} [isRare] whether it may well be empty: then it is shown once it isn't, so that nothing jumps
 */
function shelf(title, target, ask, make, tool, isRare = false) {
  const element = h("section.shelf", { "aria-label": title, hidden: isRare },
    h("header.shelf-head", null, h("h2", null, h("a", { href: target }, title)), h("span.tools", null, tool)));
  const bones = h("div.shelf-row", { "aria-hidden": "true" }, ...Array.from({ length: 8 }, () => {
    const cell = make();
    cell.update(undefined, 0);
    cell.element.removeAttribute("role");
    cell.element.inert = true;
    return cell.element;
  }));
  const content = fetched(ask, (answer) => {
    element.hidden = answer.items.length === 0;
    return h("div.shelf-row", { role: "list" }, ...answer.items.map((/** @type {any} */ item, /** @type {number} */ index) => {
      const cell = make();
      cell.update(item, index);
      return cell.element;
    }));
  }, bones);
  element.append(content.element);
  return { element, reload: content.reload };
}

const greeting = () => {
  const hour = new Date().getHours();
  return t(hour < 5 ? "home.evening" : hour < 12 ? "home.morning" : hour < 18 ? "home.afternoon" : "home.evening");
};

/** What the library's server says when all isn't well, and how far a sync is. */
function state() {
  return h("div.state", null, () => {
    const now = serverState();
    const { sentence } = connection.value;
    // Folders alone have no server that anything could wait for.
    const waits = now === "local" ? 0 : waiting.value.plays + waiting.value.edits;
    const { phase, done, total } = sync.value;
    return [
      phase ? h("a.state-line", { href: "#/settings" }, icon("recent"), h("span", null, total > 0
        ? t("sync.progress", { done: number(done), total: number(total) }) : t("sync.running"))) : null,
      now === "unreachable" || now === "auth_failed" || now === "not_configured"
        ? h("a.state-line.warning", { href: "#/settings" }, icon("offline"), h("span", null, language === "en" && now !== "not_configured" && sentence || t(`connection.${now}`))) : null,
      waits > 0 ? h("a.state-line", { href: "#/settings" }, icon("recent"), h("span", null, t("connection.waiting", { n: waits }))) : null,
    ];
  });
}

/** Something of a list by chance, the larger ones sooner. @param {any[]} items */
function drawn(items) {
  let left = Math.random() * items.reduce((sum, each) => sum + each.songs, 0);
  return items.find((each) => (left -= each.songs) < 0) ?? items[0];
}

/** What each mix asks for, and its name where that is not known before. @type {[string, string, () => [string, string?] | Promise<[string, string?]>][]} */
const MIXES = [
  ["added", "recent", () => ["heard=0&sort=-added&count=60"]],
  ["starred", "starred", () => ["starred=1&sort=played&count=60"]],
  ["again", "repeat", () => ["heard=1&sort=-played&count=60"]],
  ["genre", "genre", async () => {
    const { items } = await get("/api/genres", { count: 200 });
    if (items.length === 0) return ["sort=random&count=60"];
    const { name } = drawn(items);
    return [`genre=${encodeURIComponent(name)}&sort=random&count=60`, name];
  }],
  ["decade", "year", async () => {
    const { items } = await get("/api/decades");
    if (items.length === 0) return ["sort=random&count=60"];
    const { decade } = items[Math.floor(Math.random() * items.length)];
    return [`decade=${decade}&sort=random&count=60`, t("browse.decade", { decade: String(decade) })];
  }],
  ["random", "shuffle", () => ["sort=random&count=120"]],
];

const mixes = () =>
  h("div.mixes", null, ...MIXES.map(([name, sign, question]) =>
    h("button.mix", { type: "button", ...needs("player"), "data-mix": name, onclick: () => attempt(async () => {
      const [query, title] = await question();
      const { items } = await get(`/api/songs?${query}`);
      const songs = items.map((/** @type {any} */ each) => each.id).filter(Boolean);
      if (songs.length === 0) return tell(t("home.mixEmpty"));
      await enqueue({ songs }, "replace", title);
    }) }, icon(sign), h("span", null, t(`home.mix.${name}`)))));

/** The field for wishes comes last. */
function wishes() {
  const place = h("div.wishes");
  const run = here();
  const later = globalThis.requestIdleCallback ?? setTimeout;
  later(() => import("./wish.js").then((module) => run(() => place.append(...module.wishes())), () => {}));
  return place;
}

export default function homeView() {
  const albums = (/** @type {any} */ values) => () => get("/api/albums", { count: 18, ...values });
  const random = shelf(t("home.random"), link("albums", null, { sort: "random" }), albums({ sort: "random" }), albumTile,
    iconButton("shuffle", t("home.another"), () => random.reload()));
  // Playlists that are made for the listener, each with the picture of its first song.
  const made = shelf(t("home.made"), "#/playlists", () => get("/api/mixes"), () =>
    tile({ href: (each) => link("playlist", each.name), title: (each) => each.title, sub: (each) => t("count.songs", { n: each.songs }),
      icon: "playlist", onmenu: (each) => openSheet({ title: each.title, cover: each.cover, items: queueItems({ playlist: each.name }) }) }), null, true);
  effect(() => void (playlists.value && untracked(made.reload)));
  const shelves = [
    shelf(t("home.added"), link("albums", null, { sort: "-added" }), albums({ sort: "-added" }), albumTile),
    made,
    shelf(t("home.played"), link("albums", null, { heard: "1", sort: "-played" }), albums({ heard: 1, sort: "-played" }), albumTile, null, true),
    random,
    shelf(t("home.starred"), link("albums", null, { starred: "1" }), albums({ starred: 1 }), albumTile, null, true),
    shelf(t("home.stations"), "#/radio", () => get("/api/stations", { count: 12 }), () =>
      tile({ href: (each) => link("zap", each.id), title: (each) => each.name, sub: (each) => each.genre ?? each.country ?? "",
        icon: "radio", cover: (each) => each.picture, path: "/picture" }), null, true),
  ];
  const generation = signal(library.peek().generation);
  effect(() => {
    const now = library.value.generation;
    if (generation.peek() === 0 || now === generation.peek()) return void (generation.value = now);
    generation.value = now;
    for (const each of [shelves[0], shelves[4]]) each.reload();
  });
  return page(greeting(), [h("a.icon-button.only-narrow", { href: "#/settings", "aria-label": t("nav.settings") }, icon("settings"))],
    state(), wishes(), mixes(), ...shelves.map((each) => each.element),
    () => (isReady.value && library.value.songs === 0 && !sync.value.phase
      ? empty("song", t("home.nothing"), h("a.primary", { href: "#/settings" }, t("nav.settings"))) : null));
}
