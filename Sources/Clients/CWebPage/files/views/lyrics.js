// The words of what plays. Timed ones follow the music; a tap on a line goes there.
import { get, Refusal } from "../js/api.js";
import { h, isStill } from "../js/dom.js";
import { empty, iconButton } from "../js/parts.js";
import { playButton, progress } from "../js/player.js";
import { back } from "../js/router.js";
import { effect, onEnd, signal } from "../js/signals.js";
import { actions, elapsed, may, player, song } from "../js/store.js";
import { t } from "../js/texts.js";
import { keepAwake } from "./awake.js";

/** @typedef {{synced: boolean, lines: {time: number | null, text: string}[]}} Lyrics */

/**
 * Shows lines and keeps up with the music.
 * @param {Lyrics} lyrics
 * @param {HTMLElement} scroller
 */
function follow(lyrics, scroller) {
  const isFollowing = signal(true);
  const { lines } = lyrics;
  const rows = lines.map((line) =>
    lyrics.synced && line.time !== null
      ? h("button.line", { type: "button", onclick: () => { if (may("player")) { actions.seek(line.time ?? 0); isFollowing.value = true; } } }, line.text || "♪")
      : h("p.line.plain", null, line.text || " "));
  let current = -1;
  let timer = 0;
  const centre = () => {
    const row = rows[Math.max(0, current)];
    if (!row || !isFollowing.peek()) return;
    scroller.scrollTo({ top: row.offsetTop - scroller.clientHeight * 0.36, behavior: isStill() ? "auto" : "smooth" });
  };
  const keepUp = () => {
    clearTimeout(timer);
    if (!lyrics.synced) return;
    const now = elapsed() + 0.15;
    let at = -1;
    while (at + 1 < lines.length && (lines[at + 1].time ?? Infinity) <= now) at++;
    if (at !== current) {
      rows[current]?.removeAttribute("aria-current");
      current = at;
      rows[current]?.setAttribute("aria-current", "true");
      rows.forEach((row, index) => row.classList.toggle("past", index < at));
      centre();
    }
    const next = lines[at + 1]?.time;
    // Sleeps until the next line; nothing runs between lines or while the music is paused.
    if (player.peek().state === "play" && next !== undefined && next !== null) timer = setTimeout(keepUp, Math.max(30, (next - now) * 1000));
  };
  effect(() => {
    player.value;
    keepUp();
  });
  effect(() => {
    if (isFollowing.value) centre();
  });
  // The lines are in the page, and have places, only after this.
  requestAnimationFrame(centre);
  const stop = () => {
    if (lyrics.synced) isFollowing.value = false;
  };
  scroller.addEventListener("wheel", stop, { passive: true });
  scroller.addEventListener("touchmove", stop, { passive: true });
  onEnd(() => {
    clearTimeout(timer);
    scroller.removeEventListener("wheel", stop);
    scroller.removeEventListener("touchmove", stop);
  });
  return [
    h("div.lines", { class: { synced: lyrics.synced } }, ...rows),
    h("button.to-playing", { type: "button", hidden: () => isFollowing.value, onclick: () => isFollowing.value = true }, t("lyrics.follow")),
  ];
}

/**
 * @param {import("../js/router.js").Route} _route
 * @param {boolean} [isPanel] beside the picture
 */
export default function lyricsView(_route, isPanel = false) {
  const found = signal(/** @type {Lyrics | null | undefined} */ (undefined));
  const scroller = h("div.lyrics-scroll.scroll", { tabindex: 0, role: "region", "aria-label": t("nav.lyrics") });
  let asked = 0;
  /** @type {string | null | undefined} */
  let shown;
  effect(() => {
    const id = song.value?.id ?? null;
    // Seeks and stars tell of the same song again; its lines stay as they are, wherever somebody reads.
    if (id === shown) return;
    shown = id;
    const mine = ++asked;
    found.value = id ? undefined : null;
    if (!id) return;
    get(`/api/songs/${encodeURIComponent(id)}/lyrics`).then(
      (lyrics) => mine === asked && (found.value = lyrics),
      (error) => mine === asked && (found.value = null, error instanceof Refusal && error.status !== 404 && console.info(error.message)),
    );
  });
  keepAwake();
  scroller.append(h("div.lyrics-body", null, () => {
    const lyrics = found.value;
    if (lyrics === undefined) return h("div.bones.lines");
    return lyrics && lyrics.lines.length > 0 ? follow(lyrics, scroller) : empty("lyrics", t("lyrics.none"));
  }));
  if (isPanel) return h("section.lyrics-view.panel", { "aria-label": t("nav.lyrics") }, scroller);
  return h("section.view.lyrics-view", { tabindex: -1, "aria-label": t("nav.lyrics") },
    h("header.bar", null, iconButton("down", t("menu.back"), () => back("#/now")),
      h("div.names", null, h("h1", { tabindex: -1 }, () => song.value?.title ?? t("nav.lyrics")), h("p.sub", null, () => song.value?.artist ?? "")),
      h("div.tools", null)),
    scroller,
    h("footer.lyrics-foot", null, progress(), playButton()));
}
