// The one connection over which the server tells what changed.

const PING = 20000;
const SILENCE = 30000;
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
 */
export function keepSocket(path, onMessage, onChange) {
  /** @type {WebSocket | null} */
  let socket = null;
  let attempt = 0;
  let heard = 0;
  /** @type {number | undefined} */
  let timer;

  const open = () => {
    clearTimeout(timer);
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = null;
      socket.close();
    }
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
    clearTimeout(timer);
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = null;
      socket.close();
      socket = null;
    }
    onChange(false);
    timer = setTimeout(open, pause(attempt++, Math.random()));
  };

  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (performance.now() - heard > SILENCE) return lost();
      if (socket?.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
      // The answer, or its absence, is looked at before the next ping is due.
      timer = setTimeout(() => (performance.now() - heard > SILENCE / 2 ? lost() : watch()), SILENCE - PING);
    }, PING);
  };

  /** A page that comes back to sight may hold a socket whose other end is long gone. */
  const look = () => {
    if (document.visibilityState === "hidden" || socket?.readyState === WebSocket.CONNECTING) return;
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
  return { again: open };
}
