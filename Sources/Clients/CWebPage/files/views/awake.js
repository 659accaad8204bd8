// A screen that stays on while somebody reads it.
import { onEnd } from "../js/signals.js";

/** Keeps the screen on until the view ends; only pages over TLS may. */
export function keepAwake() {
  /** @type {any} */
  let lock = null;
  let isOver = false;
  const take = () => {
    if (document.visibilityState !== "visible" || isOver) return;
    /** @type {any} */ (navigator).wakeLock?.request("screen").then((/** @type {any} */ got) => isOver ? got.release() : lock = got, () => {});
  };
  take();
  document.addEventListener("visibilitychange", take);
  onEnd(() => {
    isOver = true;
    lock?.release();
    document.removeEventListener("visibilitychange", take);
  });
}
