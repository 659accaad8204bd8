// Requests to the server, and lists that are fetched in windows.
import { signal } from "./signals.js";
import { t } from "./texts.js";

/** The partition that requests are about; null is the one that the server chooses. */
export const partition = signal(/** @type {string | null} */ (null));

/** Refusals that have words of their own here, by the server's names of them. @type {{[name: string]: string}} */
const KNOWN = {
  bad_player_name: "rooms.nameRule", player_exists: "rooms.nameTaken", bad_playlist_name: "playlists.nameRule",
  playlist_exists: "playlists.nameTaken", not_in_library: "error.notThere", not_playing: "player.nothing",
  queue_changed: "notice.queueChanged", undo_gone: "error.undoGone",
};

/** What the server refused, in its own words where these are meant for people. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {{code?: number, name?: string, message?: string, field?: string | null, permission?: string | null, version?: number}} error
   */
  constructor(status, error) {
    const known = KNOWN[error.name ?? ""];
    super(known ? t(known) : error.message || `HTTP ${status}`);
    this.status = status;
    this.permission = error.permission ?? null;
    this.field = error.field ?? null;
  }
}

/**
 * @param {string} path
 * @param {{[name: string]: string | number | null | undefined}} [values] without those that are null
 * @returns {string}
 */
export function address(path, values = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") query.set(key, String(value));
  }
  const chosen = partition.peek();
  if (chosen) query.set("partition", chosen);
  const text = query.toString();
  return text ? `${path}${path.includes("?") ? "&" : "?"}${text}` : path;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {AbortSignal} [abort]
 * @returns {Promise<any>}
 */
export async function request(method, path, body, abort) {
  let response, text;
  try {
    response = await fetch(path, {
      method,
      signal: abort ?? AbortSignal.timeout(30000),
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    text = await response.text();
  } catch (error) {
    if (abort?.aborted) throw error;
    // The browser's own words say nothing to people, and are English.
    throw new Refusal(0, { message: t(method === "GET" ? "connection.noSegue" : "error.unreachable") });
  }
  let answer = null;
  try {
    answer = text === "" ? null : JSON.parse(text);
  } catch {
    throw new Refusal(response.status, { message: t("error.unreadable", { status: String(response.status) }) });
  }
  if (!response.ok) throw new Refusal(response.status, answer?.error ?? {});
  return answer;
}

/**
 * @param {string} path
 * @param {{[name: string]: string | number | null | undefined}} [values]
 * @param {AbortSignal} [abort]
 */
export const get = (path, values, abort) => request("GET", address(path, values), undefined, abort);

/** @param {string} path @param {any} [body] */
export const post = (path, body = {}) => request("POST", address(path), body);

/** @param {string} path @param {any} body */
export const put = (path, body) => request("PUT", address(path), body);

/** @param {string} path @param {any} body */
export const patch = (path, body) => request("PATCH", address(path), body);

/** @param {string} path @param {any} [body] */
export const remove = (path, body) => request("DELETE", address(path), body);

/**
 * Runs commands of MPD's protocol as one command list.
 * @param {string[][]} commands
 * @returns {Promise<{answers: [string, string][][]}>}
 */
export const mpd = (commands) => post("/api/mpd", commands);

/** How long a window that could not be had is left alone, in milliseconds. */
const REST = 3000;
export const WINDOW = 200;
const AHEAD = 2;
const MOST = 24;

/**
 * A list that lives on the server and of which the page holds the windows that were looked at.
 * @template T
 */
export class Windows {
  /**
   * @param {string} path
   * @param {{[name: string]: string | number | null | undefined}} [values]
   */
  constructor(path, values = {}) {
    this.path = path;
    this.values = values;
    this.total = signal(/** @type {number | null} */ (null));
    this.letters = signal(/** @type {{letter: string, offset: number}[]} */ ([]));
    this.changed = signal(0);
    this.error = signal(/** @type {Error | null} */ (null));
    /** @type {Map<number, T[]>} */
    this.pages = new Map();
    /** Windows that are shown until they are read anew. @type {Map<number, T[]>} */
    this.before = new Map();
    /** @type {Map<number, AbortController>} */
    this.loading = new Map();
    /** @type {Map<number, number>} */
    this.failed = new Map();
  }

  /** @param {number} index @returns {T | undefined} */
  get(index) {
    const page = Math.floor(index / WINDOW);
    return (this.pages.get(page) ?? this.before.get(page))?.[index % WINDOW];
  }

  /**
   * Fetches what is missing between two places and a little beyond, and gives up windows that were scrolled past.
   * @param {number} from
   * @param {number} to
   */
  need(from, to) {
    const total = this.total.peek();
    const last = total === null ? 0 : Math.floor(Math.max(0, total - 1) / WINDOW);
    const [first, end] = [Math.max(0, Math.floor(from / WINDOW)), Math.min(last, Math.floor(to / WINDOW))];
    for (const [page, abort] of this.loading) {
      if (page < first - AHEAD || page > end + AHEAD) {
        abort.abort();
        this.loading.delete(page);
      }
    }
    for (let page = first; page <= end; page++) this.load(page);
    // Ahead only once what is looked at has arrived.
    if (this.loading.size > 0) return;
    for (let page = end + 1; page <= Math.min(last, end + AHEAD - 1); page++) this.load(page);
    if (first > 0) this.load(first - 1);
  }

  /** @param {number} page */
  async load(page) {
    if (this.pages.has(page) || this.loading.has(page) || (this.failed.get(page) ?? 0) > Date.now()) return;
    const abort = new AbortController();
    this.loading.set(page, abort);
    try {
      const answer = await get(this.path, { ...this.values, start: page * WINDOW, count: WINDOW }, abort.signal);
      if (this.loading.get(page) !== abort) return;
      this.loading.delete(page);
      this.take(page, answer);
      this.error.value = null;
    } catch (error) {
      if (this.loading.get(page) !== abort) return;
      this.loading.delete(page);
      this.failed.set(page, Date.now() + REST);
      // A list that is still shown asks again then.
      setTimeout(() => this.changed.value++, REST + 50);
      if (!abort.signal.aborted) this.error.value = /** @type {Error} */ (error);
    }
    this.changed.value++;
  }

  /** @param {number} page @param {any} answer */
  take(page, answer) {
    this.pages.set(page, answer.items);
    this.before.delete(page);
    // A list stays small here, however long people scroll through it.
    if (this.pages.size > MOST) {
      const far = [...this.pages.keys()].sort((a, b) => Math.abs(b - page) - Math.abs(a - page));
      for (const each of far.slice(0, this.pages.size - MOST)) this.pages.delete(each);
    }
    // Letters that are the same stay the same buttons, or the keyboard's focus would be lost with each answer.
    if (answer.letters && JSON.stringify(answer.letters) !== JSON.stringify(this.letters.peek())) this.letters.value = answer.letters;
    this.total.value = answer.total ?? answer.length ?? answer.items.length;
  }

  /** Asks for other rows by the same path, such as those with other words. @param {{[name: string]: string}} values */
  narrow(values) {
    this.values = { ...this.values, ...values };
    this.pages.clear();
    this.before.clear();
    this.reload();
  }

  /** Keeps what is shown until it is read anew. */
  setAside() {
    this.before = new Map([...this.before, ...this.pages].slice(-MOST));
    this.pages.clear();
  }

  stopLoading() {
    for (const abort of this.loading.values()) abort.abort();
    this.loading.clear();
  }

  /** Fetches everything anew; what is shown stays until its replacement is there. */
  reload() {
    this.stopLoading();
    this.failed.clear();
    this.setAside();
    this.changed.value++;
    if (this.total.peek() === null) this.load(0);
  }
}
