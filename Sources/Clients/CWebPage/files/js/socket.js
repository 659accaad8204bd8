// The one connection over which the server tells what changed.

/** So often the server is asked for a word, in milliseconds, and so long nothing may have been heard. */
const PING = 10000;
const SILENCE = 15000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8000;

/**
 * How long to wait before the next attempt: doubling, with up to a third of chance so that many pages don't come at once.
 * @param {number} attempt from 0
 * @param {number} chance 0 to 1
 * @returns {number} milliseconds
 */
export function pause(attempt, chance) {
  const whole = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(attempt, 10));
  return whole * (2 / 3 + chance / 3);
}

/**
 * Keeps a WebSocket open: begins again after losses, and at once when the page is looked at or the network is back.
 * @param {() => string} path
 * @param {(message: any) => void} onMessage
 * @param {(isOpen: boolean) => void} onChange
 * @returns {{again: () => void, rest: () => void}}
 */
export function keepSocket(path, onMessage, onChange) {
  /** @type {WebSocket | null} */
  let socket = null;
  let attempt = 0;
  let heard = 0;
  /** @type {number | undefined} */
  let timer;
  let rests = false;

  const drop = () => {
    clearTimeout(timer);
    if (!socket) return;
    socket.onclose = socket.onmessage = socket.onopen = null;
    socket.close();
    socket = null;
  };

  const open = () => {
    rests = false;
    drop();
    const made = new WebSocket(new URL(path(), location.href.replace(/^http/, "ws")));
    socket = made;
    heard = performance.now();
    // A handshake that nobody answers is silence, too.
    timer = setTimeout(lost, 10000);
    made.onopen = () => {
      heard = performance.now();
      watch();
    };
    made.onmessage = (event) => {
      heard = performance.now();
      const message = JSON.parse(event.data);
      if (message.type === "pong") return;
      if (message.type === "status") {
        attempt = 0;
        onChange(true);
      }
      onMessage(message);
    };
    made.onclose = lost;
  };

  const lost = () => {
    drop();
    onChange(false);
    timer = setTimeout(open, pause(attempt++, Math.random()));
  };

  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (performance.now() - heard > SILENCE) return lost();
      const asked = performance.now();
      if (socket?.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
      // The answer, or its absence, is looked at before the next ping is due.
      timer = setTimeout(() => (heard < asked ? lost() : watch()), SILENCE - PING);
    }, PING);
  };

  /** A page that comes back to sight may hold a socket whose other end is long gone. */
  const look = () => {
    if (rests || document.visibilityState === "hidden" || socket?.readyState === WebSocket.CONNECTING) return;
    if (socket?.readyState !== WebSocket.OPEN) {
      attempt = 0;
      open();
    } else if (performance.now() - heard > 2000) {
      const asked = performance.now();
      socket.send('{"type":"ping"}');
      setTimeout(() => {
        if (heard < asked) open();
      }, 1500);
    }
  };
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", look);
  addEventListener("online", look);
  open();
  return {
    again: open,
    /** Makes no further attempt until it is to begin again. */
    rest: () => {
      rests = true;
      drop();
    },
  };
}
