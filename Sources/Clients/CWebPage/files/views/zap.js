// Stations as cards of the whole screen: the one that rests plays, and its neighbours are connected already.
import { get, mpd, post, remove } from "../js/api.js";
import { coloursOf, isDark, theme } from "../js/colours.js";
import { h } from "../js/dom.js";
import { strokes } from "../js/gestures.js";
import { cover, empty, iconButton, page } from "../js/parts.js";
import { playButton } from "../js/player.js";
import { back } from "../js/router.js";
import { effect, onEnd, scope, signal, untracked } from "../js/signals.js";
import { attempt, elapsed, may, on, song, tell } from "../js/store.js";
import { t } from "../js/texts.js";

const REST = 250;

/** The card that went on playing when its view was left; it goes when another one plays. */
let kept = "";

/** Goes back to the music that a station took the place of. @param {string} queueId @param {number} place */
const goBack = (queueId, place) => attempt(async () => {
  await post("/api/player/play", { queueId });
  if (place > 1) await post("/api/player/seek", { to: place });
  const card = kept;
  kept = "";
  // Somebody may have removed it already.
  if (card) await remove("/api/queue", { ids: [card] }).catch(() => {});
});

/**
 * Tunes in by entries of the queue, since only neighbours there are connected already and overlap. The stations are
 * appended once, but for the one that plays already, and those that do not play leave with the view: what was queued
 * before, or by others, stays.
 * @param {any[]} stations
 */
function tuner(stations) {
  /** Queue ids by address. @type {Promise<Map<string, string>> | null} */
  let appended = null;
  // Ids in place of positions: others may edit the queue at the same moment. All stations are appended, or none.
  const append = async () => {
    const playing = song.peek();
    const known = new Map(kept && playing?.queueId === kept ? [[playing.uri, kept]] : []);
    const uris = [...new Set(stations.map((each) => each.uri))].filter((uri) => !known.has(uri));
    if (uris.length === 0) return known;
    const ids = uris.length === 1
      ? [(await mpd([["addid", uris[0]]])).answers[0].find(([key]) => key === "Id")?.[1] ?? ""]
      : (await post("/api/queue", { uris })).queueIds;
    return new Map([...known, .../** @type {[string, string][]} */ (uris.map((uri, index) => [uri, ids[index]]))]);
  };
  const leave = async () => {
    const ids = new Set([...(await appended?.catch(() => null))?.values() ?? [], kept]);
    // What was tuned in a moment ago may not have been told yet.
    const now = (await get("/api/status").catch(() => ({ song: song.peek() }))).song?.queueId ?? "";
    const gone = [...ids].filter((id) => id && id !== now);
    kept = ids.has(now) ? now : "";
    if (gone.length === 0) return;
    await remove("/api/queue", { ids: gone }).catch(async () => {
      // Another client removed some of them already, or all.
      const { changes } = await get("/api/queue", { since: 0 });
      const present = new Set(changes.map((/** @type {any} */ each) => each.queueId));
      const rest = gone.filter((id) => present.has(id));
      if (rest.length > 0) await remove("/api/queue", { ids: rest });
    }).catch(() => {});
  };
  return {
    tune: async (/** @type {any} */ station) => {
      appended ??= append();
      try {
        await post("/api/player/play", { queueId: (await appended).get(station.uri) });
      } catch (error) {
        // They may have left the queue; the next flick appends them anew.
        await leave();
        appended = null;
        throw error;
      }
    },
    leave,
  };
}

/** @param {any} station @param {import("../js/signals.js").Signal<string>} current */
function card(station, current) {
  const art = cover(1280, "radio", "/picture");
  art.element.classList.add("big");
  const element = h("article.card", { "data-station": station.id, "aria-label": station.name, tabindex: -1 },
    art.element,
    h("div.card-names", null,
      h("p.sub", null, [station.country, station.genre].filter(Boolean).join(" · ")),
      h("h2", null, station.name),
      h("p.on-air", { "aria-live": "off" }, () => {
        const now = song.value;
        if (current.value !== station.id && now?.uri !== station.uri) return " ";
        return now?.uri === station.uri ? (now?.title && now.title !== station.name ? now.title : t("radio.onAir")) : t("radio.tuning");
      })));
  let isShown = false;
  return {
    element,
    show: () => {
      if (isShown) return;
      isShown = true;
      art.show(station.picture);
      coloursOf(station.picture).then((found) => {
        const hue = [...station.name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
        for (const [name, value] of Object.entries(theme(found ?? { hue, chroma: 0.09, second: hue + 60 }, isDark()))) element.style.setProperty(name, value);
      });
    },
  };
}

/**
 * The cards of these stations.
 * @param {any[]} stations
 * @param {string | undefined} first
 * @param {HTMLElement} holder
 * @param {(by: number) => void} turn goes on to another kind of stations
 * @param {(name: string) => void} tuned is told of a station that plays because of its card
 */
function deck(stations, first, holder, turn, tuned) {
  const current = signal("");
  const { tune, leave } = tuner(stations);
  const cards = new Map(stations.map((station) => [station.id, card(station, current)]));
  const feed = h("div.feed", { tabindex: 0, role: "feed", "aria-label": t("radio.cards") }, ...[...cards.values()].map((each) => each.element));
  let timer = 0;
  // Looking is not yet tuning in: what plays goes on until somebody flicks, or came for a station.
  let isMeant = !!first;
  const mean = () => isMeant = true;
  for (const name of ["pointerdown", "wheel", "keydown"]) feed.addEventListener(name, mean, { passive: true });
  const rest = (/** @type {string} */ id) => {
    clearTimeout(timer);
    if (!isMeant || current.peek() === id) return;
    timer = setTimeout(() => {
      const station = stations.find((each) => each.id === id);
      current.value = id;
      if (station && may("player") && song.peek()?.uri !== station.uri) attempt(() => tune(station).then(() => tuned(station.name)));
    }, REST);
  };
  const judge = new IntersectionObserver((seen) => {
    for (const each of seen) if (each.intersectionRatio > 0.7) rest(/** @type {HTMLElement} */ (each.target).dataset.station ?? "");
  }, { root: feed, threshold: 0.71 });
  // Neighbours' pictures come before they are in sight.
  const near = new IntersectionObserver((seen) => {
    for (const each of seen) if (each.isIntersecting) cards.get(/** @type {HTMLElement} */ (each.target).dataset.station ?? "")?.show();
  }, { root: feed, rootMargin: "60% 0px" });
  onEnd(() => {
    clearTimeout(timer);
    leave();
    judge.disconnect();
    near.disconnect();
  });
  strokes(feed, { left: () => turn(1), right: () => turn(-1) });
  feed.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const sideways = /** @type {{[key: string]: number}} */ ({ ArrowRight: 1, ArrowLeft: -1 })[event.key];
    if (sideways) {
      event.preventDefault();
      event.stopPropagation();
      return turn(sideways);
    }
    const by = /** @type {{[key: string]: number}} */ ({ ArrowDown: 1, ArrowUp: -1, PageDown: 1, PageUp: -1 })[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    feed.scrollBy({ top: by * feed.clientHeight });
  });
  holder.replaceChildren(feed);
  const start = cards.get(first ?? stations.find((each) => each.uri === song.peek()?.uri)?.id)?.element;
  if (start) feed.scrollTop = start.offsetTop;
  for (const { element } of cards.values()) {
    judge.observe(element);
    near.observe(element);
  }
}

/** The genres and countries of stations; the first is all of them. @param {any[]} stations */
const kindsOf = (stations) => ["", ...[...new Set(stations.flatMap((each) => [each.country, each.genre]).filter(Boolean))].sort()].slice(0, 40);

/** Genres and countries to choose from, sideways. @param {any[]} stations @param {import("../js/signals.js").Signal<string>} chosen */
function kinds(stations, chosen) {
  return h("div.chips.kinds", { role: "group", "aria-label": t("radio.kinds") },
    ...kindsOf(stations).map((name) => h("button.chip", { type: "button", "aria-pressed": () => String(chosen.value === name), onclick: () => chosen.value = name }, name || t("radio.all"))));
}

/** @param {import("../js/router.js").Route} route */
export default function zapView({ path }) {
  const view = page(t("radio.cards"), []);
  let before = song.peek();
  let place = elapsed();
  let station = "";
  // A page that begins with this view hears later what plays.
  effect(() => {
    if (before || !song.value || station) return;
    before = song.value;
    place = untracked(elapsed);
  });
  view.classList.remove("scroll");
  view.classList.add("zap");
  const chosen = signal("");
  const holder = h("div.feed-holder");
  const stations = signal(/** @type {any[] | null} */ (null));
  view.append(h("div.zap-head", null, () => (stations.value && stations.value.length > 1 ? kinds(stations.value, chosen) : null)), holder,
    h("div.zap-controls", null, playButton()));
  view.querySelector("header.bar")?.prepend(iconButton("down", t("menu.back"), () => back("#/radio")));
  const read = () => get("/api/stations", { count: 1000 }).then((answer) => stations.value = answer.items,
    (error) => holder.replaceChildren(empty("offline", error.message)));
  read();
  onEnd(on("found", () => stations.peek() === null && read()));
  const turn = (/** @type {number} */ by) => {
    const names = kindsOf(stations.peek() ?? []);
    // The keyboard goes on in the cards that come.
    if (holder.contains(document.activeElement)) requestAnimationFrame(() => requestAnimationFrame(() => holder.querySelector("div")?.focus()));
    chosen.value = names[(names.indexOf(chosen.peek()) + by + names.length) % names.length];
  };
  let end = () => {};
  effect(() => {
    const all = stations.value;
    const kind = chosen.value;
    end();
    end = () => {};
    if (!all) return;
    const some = all.filter((each) => !kind || each.country === kind || each.genre === kind);
    if (some.length === 0) return void holder.replaceChildren(empty("radio", t("radio.none")));
    requestAnimationFrame(() => {
      const [, stop] = untracked(() => scope(() => deck(some, kind ? undefined : path[1], holder, turn, (name) => station = name)));
      end = stop;
    });
  });
  onEnd(() => {
    end();
    // Who only flicked through them wants the music back.
    if (!station || !before?.queueId || before.stream || !may("player")) return;
    const queueId = before.queueId;
    tell(station, { label: t("radio.backTo", { name: before.title }), run: () => goBack(queueId, place) });
  });
  return view;
}
