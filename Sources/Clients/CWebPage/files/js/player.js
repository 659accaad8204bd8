// The controls of what plays, in the mini player, the bar of wide screens and the view of what plays now.
import { h } from "./dom.js";
import { strokes } from "./gestures.js";
import { cover, icon, iconButton, needs } from "./parts.js";
import { go, route } from "./router.js";
import { computed, effect, onEnd, signal } from "./signals.js";
import { actions, elapsed, isReady, link, may, next, options, player, runs, song, volume } from "./store.js";
import { clock, spoken, t } from "./texts.js";

/**
 * Calls `work` once a second while music plays and the page is looked at, and whenever the place jumps.
 * @param {() => void} work
 */
export function everySecond(work) {
  let timer = 0;
  const tick = () => {
    clearTimeout(timer);
    work();
    if (!runs() || document.hidden) return;
    timer = setTimeout(tick, 1000 - (elapsed() % 1) * 1000 + 5);
  };
  effect(() => {
    player.value;
    tick();
  });
  document.addEventListener("visibilitychange", tick);
  onEnd(() => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", tick);
  });
}

/** Sound that comes sooner is not worth a word, in milliseconds. */
const SOON = 400;
/** Whether sound has been waited for so long that it is said. */
export const isAwaited = signal(false);
const waits = computed(() => player.value.state === "play" && !!player.value.buffering);
let soon = 0;
effect(() => {
  clearTimeout(soon);
  if (waits.value) soon = setTimeout(() => isAwaited.value = true, SOON);
  else isAwaited.value = false;
});

export const playButton = (tag = "button.play-button") =>
  h(tag, {
    type: "button",
    class: { awaited: () => isAwaited.value },
    "aria-busy": () => (isAwaited.value ? "true" : null),
    "aria-label": () => t(player.value.state === "play" ? "player.pause" : "player.play"),
    onclick: () => actions.toggle(),
    ...needs("player"),
  }, () => icon(player.value.state === "play" ? "pause" : "play"));

export const previousButton = () => iconButton("previous", t("player.previous"), () => actions.previous(), needs("player"));
export const nextButton = () => iconButton("next", t("player.next"), () => actions.next(), needs("player"));

/** @param {"random" | "repeat"} name */
const toggleOf = (name) => ({
  "aria-pressed": () => String(!!options.value[name]),
  ...needs("player"),
});

export const shuffleButton = () =>
  iconButton("shuffle", t("player.random"), () => actions.options({ random: !options.peek().random }), toggleOf("random"));

/** Off, all, one: the two options of MPD that people know as one button. */
export function repeatButton() {
  const state = () => (!options.value.repeat ? "off" : options.value.single === "on" ? "one" : "all");
  const label = () => t(`player.repeat.${state()}`);
  return h("button.icon-button", {
    type: "button", "aria-label": label, "aria-pressed": () => String(state() !== "off"),
    onclick: () => {
      const now = state();
      actions.options(now === "off" ? { repeat: true, single: "off" } : now === "all" ? { single: "on" } : { repeat: false, single: "off" });
    },
    disabled: () => !may("player"),
    title: () => (may("player") ? label() : t("needs.permission", { permission: "player" })),
  }, () => icon(state() === "one" ? "single" : "repeat"));
}

/** A slider for the place in the song, with times at its ends. */
export function progress() {
  const held = signal(/** @type {number | null} */ (null));
  const field = h("input.range.progress", {
    type: "range", min: 0, max: 1000, step: "any", value: 0, "aria-label": t("player.seek"),
    disabled: () => !player.value.duration || !may("player"),
    oninput: () => {
      held.value = Number(field.value);
      show();
    },
    onchange: () => {
      actions.seek(Number(field.value));
      held.value = null;
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      event.preventDefault();
      event.stopPropagation();
      actions.skip(event.key === "ArrowRight" ? 5 : -5);
    },
  });
  const [now, rest] = [h("span.clock"), h("span.clock.rest")];
  const show = () => {
    const { duration } = player.peek();
    const at = held.peek() ?? elapsed();
    field.max = String(duration || 1);
    if (held.peek() === null) field.value = String(at);
    field.style.setProperty("--part", `${duration ? Math.min(100, at / duration * 100) : 0}%`);
    field.setAttribute("aria-valuetext", spoken(at, duration));
    now.textContent = clock(at);
    rest.textContent = duration ? clock(duration) : player.peek().state === "stop" ? "" : t("player.live");
  };
  everySecond(show);
  return h("div.timeline", null, now, field, rest);
}

/** The volume with a button for a step at each end. */
export function volumeControl() {
  const step = (/** @type {number} */ by) => () => actions.volume((volume.peek() ?? 0) + by);
  const field = h("input.range", {
    type: "range", min: 0, max: 100, step: 1, "aria-label": t("player.volume"),
    value: () => volume.value ?? 0, style: { "--part": () => `${volume.value ?? 0}%` },
    "aria-valuetext": () => t("player.percent", { n: volume.value ?? 0 }),
    disabled: () => volume.value === null || !may("player"),
    oninput: () => later(Number(field.value)),
  });
  // One request at a time while a finger moves; the last one counts.
  let [busy, wanted] = [false, -1];
  const later = async (/** @type {number} */ value) => {
    wanted = value;
    volume.value = value;
    if (busy) return;
    busy = true;
    while (wanted >= 0) {
      const now = wanted;
      wanted = -1;
      await actions.volume(now);
    }
    busy = false;
  };
  return h("div.volume", null,
    iconButton("minus", t("player.quieter"), step(-5), needs("player")), field,
    iconButton("plus", t("player.louder"), step(5), needs("player")));
}

/** Title and artist of what plays, for small places. */
const names = () =>
  h("span.names", null,
    h("span.title", null, () => song.value?.title ?? (isReady.value ? t("player.nothing") : "")),
    h("span.sub", null, () => player.value.error ?? (isAwaited.value ? t("player.buffering") : null) ?? song.value?.artist ?? (song.value ? song.value.album : "") ?? ""));

/** The mini player of phones: a card above the tabs; a tap opens what plays, a stroke changes the song. */
export function miniPlayer() {
  const art = cover(96);
  effect(() => art.show(song.value?.cover ?? null));
  const line = h("span.mini-line", { "aria-hidden": "true" });
  everySecond(() => {
    const { duration } = player.peek();
    line.style.setProperty("--part", String(duration ? Math.min(1, elapsed() / duration) : 0));
  });
  const open = h("a.mini-open", { href: "#/now", "aria-label": () => t("player.openFor", { name: song.value?.title ?? t("player.nothing") }) },
    art.element, names());
  const card = h("aside.mini", { "aria-label": t("player.region"), class: { stale: () => link.value.state === "lost" } },
    open, playButton("button.icon-button.big"), nextButton(), line);
  strokes(card, {
    left: () => actions.next(),
    right: () => actions.previous(),
    up: () => go("#/now"),
    moves: open,
  });
  return card;
}

/** The bar of wide screens. */
export function playerBar() {
  const art = cover(96);
  effect(() => art.show(song.value?.cover ?? null));
  const isAt = (/** @type {string} */ view) => () => (route.value.path[0] === view ? "page" : null);
  const to = (/** @type {string} */ view, /** @type {string} */ name) =>
    h("a.icon-button", { href: `#/${view}`, "aria-label": t(`nav.${view}`), title: t(`nav.${view}`), "aria-current": isAt(view) }, icon(name));
  return h("aside.player-bar", { "aria-label": t("player.region"), class: { stale: () => link.value.state === "lost" } },
    h("a.bar-song", { href: "#/now", "aria-label": () => t("player.openFor", { name: song.value?.title ?? t("player.nothing") }) }, art.element, names()),
    h("div.bar-middle", null,
      h("div.controls", null, shuffleButton(), previousButton(), playButton(), nextButton(), repeatButton()), progress()),
    h("div.bar-end", null, to("lyrics", "lyrics"), to("queue", "queue"), to("rooms", "rooms"), volumeControl()));
}

/** What comes next, in a line. */
export const nextLine = () =>
  h("p.next-line", { hidden: () => !next.value }, h("span", null, t("player.upNext")), " ",
    () => next.value ? `${next.value.title}${next.value.artist ? ` · ${next.value.artist}` : ""}` : "");
