// For a tablet on the wall: what plays, large enough to be read across the room, and the few controls that a hand needs.
import { h } from "../js/dom.js";
import { strokes } from "../js/gestures.js";
import { cover, icon, iconButton } from "../js/parts.js";
import { nextButton, nextLine, playButton, previousButton, progress, volumeControl } from "../js/player.js";
import { back, go } from "../js/router.js";
import { effect, onEnd } from "../js/signals.js";
import { actions, isReady, link, player, song } from "../js/store.js";
import { t } from "../js/texts.js";
import { keepAwake } from "./awake.js";

/** A screen that shows the same for months keeps its traces, so that everything moves a little now and then. */
const MOVES = 60_000;
const FAR = 6;

/** The time of day; it changes once a minute, and nothing else runs for it. */
function timeOfDay() {
  const element = h("time.wall-clock");
  let timer = 0;
  const show = () => {
    const now = new Date();
    element.textContent = now.toLocaleTimeString([], { timeStyle: "short" });
    timer = setTimeout(show, 60_050 - (now.getTime() % 60_000));
  };
  show();
  onEnd(() => clearTimeout(timer));
  return element;
}

/** @param {HTMLElement} element */
function moveSlightly(element) {
  let step = 0;
  const timer = setInterval(() => {
    step++;
    element.style.setProperty("translate", `${Math.round(Math.cos(step * 2.4) * FAR)}px ${Math.round(Math.sin(step * 2.4) * FAR)}px`);
  }, MOVES);
  onEnd(() => clearInterval(timer));
}

export default function wallView() {
  keepAwake();
  const art = cover(640, "song");
  effect(() => art.show(song.value?.cover ?? null));
  const whole = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.())?.catch(() => {});
  onEnd(() => document.fullscreenElement && document.exitFullscreen().catch(() => {}));
  const picture = h("a.wall-art", { href: "#/now", "aria-label": () => t("player.openFor", { name: song.value?.title ?? t("player.nothing") }) }, art.element);
  const stage = h("div.wall-stage", null, picture,
    h("div.wall-panel", null,
      h("div.wall-names", null,
        h("h1", { tabindex: -1 }, () => song.value?.title ?? (isReady.value ? t("player.nothing") : "\u00a0")),
        h("p.artist", null, () => song.value?.artist ?? ""), h("p.sub", null, () => song.value?.album ?? "")),
      () => (player.value.error ? h("p.error-line", { role: "alert" }, player.value.error) : null),
      progress(),
      h("div.controls.large", null, previousButton(), playButton(), nextButton()),
      volumeControl(), nextLine()));
  const view = h("section.view.wall", { tabindex: -1, "aria-label": t("nav.wall"), class: { stale: () => link.value.state === "lost" } },
    h("header.wall-bar", null, iconButton("down", t("menu.back"), () => back("#/now")), timeOfDay(),
      h("a.icon-button", { href: "#/queue", "aria-label": t("nav.queue"), title: t("nav.queue") }, icon("queue")),
      h("a.icon-button", { href: "#/rooms", "aria-label": t("nav.rooms"), title: t("nav.rooms") }, icon("rooms")),
      document.fullscreenEnabled ? iconButton("full", t("wall.full"), whole) : null),
    stage);
  strokes(picture, { left: () => actions.next(), right: () => actions.previous(), up: () => go("#/queue"), moves: picture });
  moveSlightly(stage);
  return view;
}
