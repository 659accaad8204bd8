// What plays now: the picture from edge to edge, colours drawn from it, and everything that steers it.
import { partition, post } from "../js/api.js";
import { h } from "../js/dom.js";
import { strokes } from "../js/gestures.js";
import { cover, icon, iconButton, needs, openSheet, rating, songMenu, waitingMark } from "../js/parts.js";
import { isAwaited, nextButton, nextLine, playButton, previousButton, progress, repeatButton, shuffleButton, volumeControl } from "../js/player.js";
import { back, go, link } from "../js/router.js";
import { computed, effect, onEnd, scope, signal, untracked } from "../js/signals.js";
import { actions, attempt, isReady, link as connectionTo, mark, marksOf, options, ownOutputs, partitions, player, shownPlayer, song, tell, waits } from "../js/store.js";
import { number, t } from "../js/texts.js";

/**
 * The song that plays as its marks are now. News of the player make it anew, and what is made of it would lose the focus.
 * @param {string} id
 */
const currentSong = (id) => ({
  id,
  get starred() { return song.value?.starred; },
  get rating() { return song.value?.rating; },
});

/** "44.1 kHz · 16 bit · 320 kbit/s" */
const quality = () => {
  const { format, bitrate, converted } = player.value;
  const [rate, bits] = (format ?? "").split(":");
  const parts = [];
  if (Number(rate) > 0) parts.push(`${Number(rate) / 1000} kHz`);
  if (Number(bits) > 0) parts.push(`${bits} bit`);
  if (bitrate) parts.push(`${bitrate} kbit/s`);
  if (converted) parts.push(t("player.converted"));
  return parts.join(" · ");
};

const SPEEDS = ["0.5", "0.75", "1", "1.25", "1.5", "2", "3"];
const MINUTES = [15, 30, 45, 60, 90];

/** A pause after a while; the time that is left is that of the moment at which the sheet was opened. */
function sleepTimer() {
  const left = options.peek().sleepsIn;
  const minutes = (/** @type {number} */ n) => t("options.minutes", { n });
  const set = async (/** @type {any} */ event) => {
    const chosen = Number(event.target.value);
    if (await attempt(() => post("/api/player/sleep", { minutes: chosen || null })) === undefined) return;
    tell(chosen ? t("notice.sleeps", { n: chosen }) : t("notice.awake"));
  };
  return h("label.sheet-item.choice", null, h("span", null, t("options.sleep")),
    h("select", { name: "sleep", onchange: set, ...needs("player") },
      left === null ? null : h("option", { value: "now", selected: true, disabled: true }, t("options.left", { n: Math.ceil(left / 60) })),
      h("option", { value: "0", selected: left === null }, t("settings.off")),
      ...MINUTES.map((each) => h("option", { value: String(each) }, minutes(each)))));
}

/** Consume, single once, crossfade, ReplayGain: what is set rarely. */
function optionsSheet() {
  const toggle = (/** @type {string} */ key, /** @type {() => boolean} */ isOn, /** @type {any} */ on_, /** @type {any} */ off) =>
    h("button.sheet-item.switch", { type: "button", role: "switch", "aria-checked": () => String(isOn()),
      onclick: () => actions.options(isOn() ? off : on_), ...needs("player") }, h("span", null, t(`options.${key}`)), h("span.knob", { "aria-hidden": "true" }));
  const choose = (/** @type {string} */ key, /** @type {string[]} */ values, /** @type {() => string} */ value, /** @type {(value: string) => any} */ change, name = (/** @type {string} */ each) => t(`options.${key}.${each}`)) =>
    h("label.sheet-item.choice", null, h("span", null, t(`options.${key}`)),
      h("select", { name: key, value, onchange: (/** @type {any} */ event) => actions.options(change(event.target.value)), ...needs("player") },
        ...values.map((each) => h("option", { value: each, selected: each === value() }, name(each)))));
  openSheet({
    title: t("options.title"),
    items: [
      toggle("random", () => options.value.random, { random: true }, { random: false }),
      toggle("repeat", () => options.value.repeat, { repeat: true }, { repeat: false }),
      toggle("consume", () => options.value.consume !== "off", { consume: "on" }, { consume: "off" }),
      toggle("stopAfter", () => options.value.single === "oneshot", { single: "oneshot" }, { single: "off" }),
      choose("crossfade", ["0", "2", "4", "8", "12"], () => String(options.value.crossfade), (value) => ({ crossfade: Number(value) })),
      choose("replayGain", ["off", "track", "album", "auto"], () => options.value.replayGain, (value) => ({ replayGain: value })),
      choose("speed", SPEEDS, () => String(options.value.speed), (value) => ({ speed: Number(value) }), (each) => `${number(Number(each))} ×`),
      sleepTimer(),
      { icon: "full", label: t("nav.wall"), run: () => go("#/wall") },
    ],
  });
}

/** The picture, which a finger moves to the next song, up to the queue, or away. @param {HTMLElement} view */
function artwork(view) {
  const art = cover(640, "song");
  effect(() => {
    const now = song.value;
    art.show(now?.cover ?? null);
    art.element.querySelector("img")?.setAttribute("alt", now?.cover ? t("now.coverOf", { name: now.album ?? now.title }) : "");
  });
  art.element.classList.add("big");
  const card = h("div.art", { class: { paused: () => player.value.state !== "play" } }, art.element);
  strokes(card, {
    left: () => actions.next(), right: () => actions.previous(), up: () => go("#/queue"), down: () => back(), moves: card,
  });
  view.append(card);
  return card;
}

function heading() {
  const star = () => {
    const now = song.value;
    return !!now?.id && marksOf("songs", now).starred;
  };
  // A text: news of the same song leave its links, and the focus on them, alone.
  const credits = computed(() =>
    song.value && JSON.stringify([song.value.artist ?? "", song.value.artistId, song.value.album, song.value.albumId]));
  return h("div.now-names", null,
    h("div.names", null,
      h("h1", { tabindex: -1 }, () => song.value?.title ?? (isReady.value ? t("player.nothing") : " ")),
      h("p.artist", null, () => {
        if (!credits.value) return null;
        const [artist, artistId, album, albumId] = JSON.parse(credits.value);
        const by = artistId ? h("a", { href: link("artist", artistId) }, artist) : h("span", null, artist);
        return album ? [by, h("span.sub", null, " · "), albumId ? h("a.sub", { href: link("album", albumId) }, album) : h("span.sub", null, album)] : by;
      })),
    waitingMark(() => waits("songs", song.value?.id)),
    h("button.icon-button.star", {
      type: "button", hidden: () => !song.value?.id, "aria-pressed": () => String(star()),
      "aria-label": () => t(star() ? "menu.unstar" : "menu.star"),
      onclick: () => song.peek()?.id && mark("songs", song.peek()?.id ?? "", { starred: !star() }), ...needs("control"),
    }, () => icon(star() ? "starred" : "star")),
    iconButton("more", t("menu.more"), () => song.peek() && songMenu(song.peek())));
}

/** The queue or the words beside the picture, where there is room. */
function companion() {
  const wide = matchMedia("(min-width: 900px)");
  const chosen = signal("queue");
  const holder = h("div.companion-body");
  /** @type {() => void} */
  let end = () => {};
  let visit = 0;
  const show = async () => {
    const mine = ++visit;
    end();
    end = () => {};
    holder.replaceChildren();
    if (!wide.matches) return;
    const module = await (chosen.peek() === "queue" ? import("./queue.js") : import("./lyrics.js"));
    if (mine !== visit) return;
    const [view, stop] = untracked(() => scope(() => module.default({ path: [], query: new URLSearchParams(), raw: "" }, true)));
    end = stop;
    holder.replaceChildren(view);
  };
  effect(() => {
    chosen.value;
    show();
  });
  wide.addEventListener("change", show);
  onEnd(() => {
    visit++;
    end();
    wide.removeEventListener("change", show);
  });
  const button = (/** @type {string} */ name) =>
    h("button.chip", { type: "button", "aria-pressed": () => String(chosen.value === name), onclick: () => chosen.value = name }, t(`nav.${name}`));
  return h("div.companion", null, h("div.chips", { role: "group", "aria-label": t("now.beside") }, button("queue"), button("lyrics")), holder);
}

async function listenHere() {
  const output = ownOutputs.peek().find((each) => each.listen && each.enabled) ?? ownOutputs.peek().find((each) => each.listen);
  const { openListen } = await import("./listen.js");
  if (output) openListen(output);
  else tell(t("listen.none"));
}

export default function nowView() {
  const view = h("section.view.scroll.now", { tabindex: -1, "aria-label": t("nav.now"), class: { stale: () => connectionTo.value.state === "lost" } });
  const songId = computed(() => song.value?.id ?? null);
  const rooms = () => {
    const on = ownOutputs.value.filter((each) => each.enabled);
    return on.length === 1 ? on[0].name : t("now.rooms", { n: on.length });
  };
  view.append(h("header.now-bar", null,
    iconButton("down", t("menu.back"), () => back()),
    h("span.now-where", null, () => [partitions.value.length > 1 ? shownPlayer(partition.value ?? partitions.value[0]) : "", song.value?.stream ? t("player.live") : ""].filter(Boolean).join(" · ")),
    iconButton("settings", t("options.title"), optionsSheet)));
  const left = h("div.now-left");
  artwork(left);
  left.append(h("div.now-panel", null,
    heading(),
    h("div.now-rating", { hidden: () => !songId.value }, () => (songId.value ? rating("songs", currentSong(songId.value)) : null),
      h("span.quality", null, () => (isAwaited.value ? t("player.buffering") : quality()))),
    () => player.value.error ? h("p.error-line", { role: "alert" }, player.value.error) : null,
    progress(),
    h("div.controls.large", null, shuffleButton(), previousButton(), playButton(), nextButton(), repeatButton()),
    volumeControl(),
    nextLine(),
    h("nav.now-links", { "aria-label": t("now.more") },
      h("a.pill", { href: "#/lyrics" }, icon("lyrics"), h("span", null, t("nav.lyrics"))),
      h("a.pill.wide", { href: "#/rooms" }, icon("rooms"), h("span", null, rooms)),
      h("button.pill", { type: "button", onclick: listenHere }, icon("headphones"), h("span", null, t("listen.short"))),
      h("a.pill", { href: "#/queue" }, icon("queue"), h("span", null, t("nav.queue"))))));
  view.append(left, companion());
  return view;
}
