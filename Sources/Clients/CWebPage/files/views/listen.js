// Listening in this browser, with the lock screen's controls.
import { patch } from "../js/api.js";
import { h } from "../js/dom.js";
import { icon, needs } from "../js/parts.js";
import { effect, signal } from "../js/signals.js";
import { actions, attempt, ownOutputs, player, song, tell } from "../js/store.js";
import { t } from "../js/texts.js";
import { openDialog } from "./sheets.js";

const isOn = signal(false);
/** @type {HTMLAudioElement | null} */
let audio = null;
/** Ends what the lock screen is told. */
let endSession = () => {};

/** What the lock screen shows and does. */
function mediaSession() {
  const session = navigator.mediaSession;
  if (!session) return;
  /** @type {[MediaSessionAction, () => void][]} */
  const handlers = [["play", () => actions.toggle()], ["pause", () => actions.toggle()], ["nexttrack", actions.next], ["previoustrack", actions.previous], ["stop", stopListening]];
  for (const [name, work] of handlers) {
    try {
      session.setActionHandler(name, work);
    } catch {
      // Browsers know different ones.
    }
  }
  endSession();
  const end = effect(() => {
    const now = song.value;
    const artwork = now?.cover ? [320, 640].map((size) => ({ src: `/cover/${encodeURIComponent(now.cover ?? "")}/${size}`, sizes: `${size}x${size}` })) : [];
    session.metadata = new MediaMetadata({ title: now?.title ?? "Segue", artist: now?.artist ?? "", album: now?.album ?? "", artwork });
    session.playbackState = player.value.state === "play" ? "playing" : "paused";
  });
  endSession = () => {
    end();
    endSession = () => {};
    session.metadata = null;
    session.playbackState = "none";
    for (const [name] of handlers) {
      try {
        session.setActionHandler(name, null);
      } catch {
        // As above.
      }
    }
  };
}

export function stopListening() {
  isOn.value = false;
  endSession();
  const old = audio;
  // What it says from now on is about no stream any more.
  audio = null;
  old?.pause();
  old?.removeAttribute("src");
  old?.load();
}

/** A stream that breaks is no longer listened to, and is begun again by one tap. @param {import("../js/store.js").Output} output */
function broke(output) {
  stopListening();
  tell(t("listen.broke", { name: output.name }), { label: t("error.again"), run: () => void startListening(output).catch(() => broke(output)) });
}

/** @param {import("../js/store.js").Output} output */
async function startListening(output) {
  stopListening();
  const made = audio = new Audio();
  made.src = /** @type {string} */ (output.listen);
  await made.play();
  if (made !== audio) return;
  for (const name of ["ended", "error"]) made.addEventListener(name, () => made === audio && broke(output));
  isOn.value = true;
  mediaSession();
}

/**
 * Whoever listens here may want the rooms to be silent; they come back by one tap.
 * @param {() => void} close closes the dialog, below which that tap could not reach
 */
async function silenceRooms(close) {
  const rooms = ownOutputs.peek().filter((each) => each.enabled && !each.listen);
  const set = (/** @type {boolean} */ enabled) => Promise.all(rooms.map((each) => patch(`/api/outputs/${encodeURIComponent(each.id)}`, { enabled })));
  if (!await attempt(() => set(false))) return;
  close();
  tell(t("notice.silent", { n: rooms.length }), { label: t("menu.undo"), run: () => void attempt(() => set(true)) });
}

/** Whether this browser knows the stream's format; phones lack some. @param {import("../js/store.js").Output} output */
const isPlayable = (output) => !output.mime || new Audio().canPlayType(output.mime) !== "";

/** @param {import("../js/store.js").Output} wanted */
export function openListen(wanted) {
  const output = isPlayable(wanted) ? wanted : ownOutputs.peek().find((each) => each.listen && isPlayable(each)) ?? wanted;
  const failure = signal("");
  openDialog("sheet ask listen", t("listen.here"), (close) => [
    h("h2", null, t("listen.here")),
    h("p", null, t("listen.late", { name: output.name })),
    () => (failure.value ? h("p.error-line", { role: "alert" }, failure.value) : null),
    h("div.buttons", null,
      h("button.quiet", { type: "button", onclick: close }, t("menu.close")),
      h("button.primary", { type: "button", onclick: async () => {
        failure.value = "";
        if (isOn.peek()) return stopListening();
        try {
          await startListening(output);
        } catch (error) {
          stopListening();
          failure.value = t("listen.failed", { reason: /** @type {Error} */ (error).message });
        }
      } }, () => [icon(isOn.value ? "stop" : "headphones"), t(isOn.value ? "listen.stop" : "listen.start")])),
    h("button.quiet", { type: "button", hidden: () => !isOn.value || !ownOutputs.value.some((each) => each.enabled && !each.listen),
      onclick: () => silenceRooms(close), ...needs("control") }, icon("mute"), t("listen.quiet")),
    h("button.quiet", { type: "button", hidden: () => !isOn.value, onclick: () => actions.toggle(), ...needs("player") }, () => t(player.value.state === "play" ? "player.pause" : "player.play")),
  ]);
}
