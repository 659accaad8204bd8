// The queue as it was, for those who emptied or replaced it by a tap that was not meant so.
import { get, post, remove } from "../js/api.js";
import { attempt, elapsed, player, queue } from "../js/store.js";
import { t } from "../js/texts.js";

/** Longer queues are not kept: reading them would make people wait. */
const MOST = 5000;
const WINDOW = 1000;

/**
 * Reads the queue, and tells what brings it back with its place; undefined where there is none or too much.
 * @returns {Promise<import("../js/store.js").Notice["action"]>}
 */
export async function rememberQueue() {
  const { length, position } = queue.peek();
  if (length === 0 || length > MOST) return undefined;
  const { state } = player.peek();
  const at = elapsed();
  const windows = Array.from({ length: Math.ceil(length / WINDOW) }, (_, index) => get("/api/queue", { start: index * WINDOW, count: WINDOW }));
  const read = await Promise.all(windows).catch(() => []);
  const uris = read.flatMap((window) => window.items.map((/** @type {any} */ song) => song.uri)).filter(Boolean);
  if (uris.length === 0) return undefined;
  const bringBack = async () => {
    await remove("/api/queue", { all: true });
    await post("/api/queue", { uris, position: "end" });
    if (position === null || state === "stop") return;
    await post("/api/player/play", { position });
    await post("/api/player/seek", { to: at });
    if (state === "pause") await post("/api/player/pause");
  };
  return { label: t("menu.undo"), run: () => void attempt(bringBack) };
}
