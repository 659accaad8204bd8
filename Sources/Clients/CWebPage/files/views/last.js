// What the server last said, kept in this browser: a page that opens without its server shows that, and since when.
import { effect, untracked } from "../js/signals.js";
import { asOf, connection, isReady, library, link, may, player, queue, server, song, sync } from "../js/store.js";

const KEY = "last";
/** How long changes are gathered before they are written, in milliseconds. */
const PAUSE = 1000;

/** @returns {any} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

/** What is of use without a server: names and numbers, no addresses and no rights. */
function small() {
  const now = song.peek();
  const { state, elapsed, duration } = player.peek();
  return {
    at: Date.now(),
    server: { name: server.peek().name, version: server.peek().version },
    player: { state, elapsed, duration },
    song: now && { id: null, title: now.title, artist: now.artist, album: now.album, cover: now.cover },
    queue: { length: queue.peek().length },
    connection: connection.peek(),
    library: library.peek(),
  };
}

/** Shows what was kept; nothing of it plays on, and nobody may do anything. */
function restore() {
  const last = kept();
  if (!(Number(last?.at) > 0) || isReady.peek()) return;
  server.value = { ...server.peek(), ...last.server };
  player.value = { ...player.peek(), ...last.player, state: last.player?.state === "stop" ? "stop" : "pause", at: performance.now() };
  song.value = last.song ?? null;
  queue.value = { ...queue.peek(), length: Number(last.queue?.length) || 0 };
  connection.value = last.connection ?? connection.peek();
  library.value = { ...library.peek(), ...last.library };
  asOf.value = Number(last.at);
}

/** Keeps what the server says from now on, and shows what is kept while it is not there. */
export function follow() {
  let timer = 0;
  effect(() => {
    for (const held of [server, player, song, queue, connection, library, sync]) held.value;
    if (!isReady.value) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (may("read")) localStorage.setItem(KEY, JSON.stringify(small()));
      else localStorage.removeItem(KEY);
    }, PAUSE);
  });
  effect(() => {
    if (link.value.state === "lost" && !isReady.value) untracked(restore);
    else if (isReady.value) asOf.value = null;
  });
}
