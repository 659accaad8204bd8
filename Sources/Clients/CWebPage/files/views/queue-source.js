// The queue as far as it was looked at: windows from the server, kept up with what changed since a version.
import { get, partition, post } from "../js/api.js";
import { onChange, signal } from "../js/signals.js";
import { attempt, marksElsewhere, on, queue, takingBack, tell } from "../js/store.js";
import { t } from "../js/texts.js";

/** @typedef {import("../js/store.js").Song} Song */

const WINDOW = 200;
const MOST = 6000;
/** Above so many changes reading the windows anew is less. */
const MANY = 3000;

export class QueueSource {
  constructor() {
    /** @type {Map<number, Song>} by position */
    this.known = new Map();
    this.version = -1;
    this.total = signal(/** @type {number | null} */ (null));
    this.changed = signal(0);
    this.error = signal(/** @type {Error | null} */ (null));
    /** @type {Map<number, AbortController>} */
    this.loading = new Map();
    this.retry = 0;
    /** How many changes were shown before their answer. */
    this.foreseen = 0;
    /** The windows in sight. @type {number[]} */
    this.seen = [];
    /** Called around changes, so that the list can keep its place. */
    this.aroundChange = (/** @type {() => void} */ work) => work();
    // What was read a moment ago may be newer than the news, which then bring nothing.
    this.stop = on("queue", () => this.update());
    // A server that began anew counts from the beginning, and knows nothing of changes since then.
    const stopStatus = on("status", () => queue.peek().version < this.version ? this.reload() : this.update());
    onChange(marksElsewhere, () => this.known.size > 0 && this.reread());
    // Another player's queue has versions of its own.
    onChange(partition, () => this.reload());
    this.end = () => {
      this.stop();
      stopStatus();
      for (const abort of this.loading.values()) abort.abort();
    };
    if (queue.peek().length > 0) this.total.value = queue.peek().length;
  }

  /** @param {number} position */
  get(position) {
    return this.known.get(position);
  }

  /** @param {number} from @param {number} to */
  need(from, to) {
    const total = this.total.peek();
    const pages = total === null ? [0] : [Math.floor(from / WINDOW), Math.floor(to / WINDOW)];
    this.seen = pages;
    for (const [page, abort] of this.loading) {
      if (page < pages[0] - 2 || page > pages[pages.length - 1] + 2) {
        abort.abort();
        this.loading.delete(page);
      }
    }
    for (let page = pages[0]; page <= pages[pages.length - 1]; page++) {
      const start = page * WINDOW;
      const end = Math.min(start + WINDOW, total ?? WINDOW);
      // Only what is in sight counts: a hole elsewhere in the window can wait until somebody looks.
      for (let at = Math.max(start, from); at < Math.min(end, to + 1) || (total === null && at === 0); at++) {
        if (!this.known.has(at)) {
          this.load(page);
          break;
        }
      }
    }
    // The windows beside come once what is looked at is there, before they are scrolled to.
    if (total === null || this.loading.size > 0) return;
    for (const page of [pages[pages.length - 1] + 1, pages[0] - 1]) {
      if (page >= 0 && page * WINDOW < total && !this.known.has(page * WINDOW)) this.load(page);
    }
  }

  /** @param {number} page */
  async load(page) {
    if (this.loading.has(page) || this.retry > Date.now()) return;
    const abort = new AbortController();
    this.loading.set(page, abort);
    try {
      const answer = await get("/api/queue", { start: page * WINDOW, count: WINDOW }, abort.signal);
      if (this.loading.get(page) !== abort) return;
      this.loading.delete(page);
      // Where the window and the rest are of different versions, the changes since the older one mend both.
      this.version = this.version < 0 ? answer.version : Math.min(this.version, answer.version);
      this.aroundChange(() => {
        answer.items.forEach((/** @type {Song} */ song, /** @type {number} */ index) =>
          this.known.set(page * WINDOW + index, song));
        this.total.value = answer.length;
      });
      this.forget(page * WINDOW);
      this.error.value = null;
      this.update();
    } catch (error) {
      if (this.loading.get(page) === abort) this.loading.delete(page);
      if (abort.signal.aborted) return;
      this.retry = Date.now() + 2000;
      setTimeout(() => this.changed.value++, 2100);
      this.error.value = /** @type {Error} */ (error);
    }
    this.changed.value++;
  }

  /** @param {number} near */
  forget(near) {
    if (this.known.size <= MOST) return;
    for (const position of this.known.keys()) if (Math.abs(position - near) > MOST / 4) this.known.delete(position);
  }

  /** Brings what is known up to the server's version, where that is newer. */
  async update() {
    if (this.updating || this.version < 0 || queue.peek().version <= this.version) return;
    this.updating = true;
    const since = this.version;
    let hasMoved = false;
    try {
      const answer = await get("/api/queue", { since });
      // A window that came meanwhile may be older still; one that all begins with is whole by itself.
      const older = Math.min(since, this.version);
      hasMoved = answer.version > since || older < since;
      if (older >= 0) this.aroundChange(() => this.apply(answer));
      if (older < since) this.version = older;
    } catch {
      this.reload();
    }
    this.updating = false;
    if (hasMoved) this.update();
  }

  /** @param {{version: number, length: number, changes: {position: number, queueId: string, priority: number}[] | null}} answer */
  apply(answer) {
    this.version = answer.version;
    this.total.value = answer.length;
    if (!answer.changes || answer.changes.length > MANY) {
      this.known.clear();
    } else {
      const byId = new Map([...this.known.values()].map((song) => [song.queueId, song]));
      for (const { position, queueId, priority } of answer.changes) {
        const song = byId.get(queueId);
        if (song) this.known.set(position, { ...song, position, priority });
        else this.known.delete(position);
      }
      for (const position of this.known.keys()) if (position >= answer.length) this.known.delete(position);
    }
    this.changed.value++;
  }

  /** Reads the windows in sight again, while what is shown stays. */
  reread() {
    const pages = new Set(this.seen);
    for (const at of this.known.keys()) if (!pages.has(Math.floor(at / WINDOW))) this.known.delete(at);
    for (const page of pages) this.load(page);
  }

  reload() {
    this.known.clear();
    this.version = -1;
    for (const abort of this.loading.values()) abort.abort();
    this.loading.clear();
    this.changed.value++;
    this.load(0);
  }

  /**
   * Shows songs at other places before the server has answered; returns what takes that back.
   * @param {(order: (Song | undefined)[], first: number) => (Song | undefined)[]} rearrange a run of rows, which may get shorter
   * @param {number} first
   * @param {number} last
   * @returns {() => void}
   */
  foresee(first, last, rearrange) {
    const before = new Map(this.known);
    const [version, length] = [this.version, this.total.peek() ?? 0];
    const run = [];
    for (let at = first; at <= last; at++) run.push(this.known.get(at));
    const next = rearrange(run, first);
    const fewer = run.length - next.length;
    this.aroundChange(() => {
      if (fewer > 0) {
        const moved = [...this.known].filter(([at]) => at > last);
        for (const [at] of moved) this.known.delete(at);
        for (const [at, song] of moved) this.known.set(at - fewer, { ...song, position: at - fewer });
      }
      for (let at = first; at <= last - fewer; at++) {
        const song = next[at - first];
        if (song) this.known.set(at, { ...song, position: at });
        else this.known.delete(at);
      }
      if (fewer > 0) this.total.value = length - fewer;
      this.changed.value++;
    });
    const foreseen = ++this.foreseen;
    return () => {
      // What was there before also has what another change foresaw that is not over, or is refused as well.
      if (this.version !== version || this.foreseen !== foreseen) return this.reload();
      this.known = before;
      this.total.value = length;
      this.changed.value++;
    };
  }

  /** The position of an entry among those that are known. @param {string | undefined} queueId */
  find(queueId) {
    for (const [position, song] of this.known) if (song.queueId === queueId) return position;
    return -1;
  }
}

/** Where a song goes to be the next one. @param {Song} song */
export const afterCurrent = (song) => {
  const at = queue.peek().position;
  if (at === null) return 0;
  return (song.position ?? 0) > at ? at + 1 : at;
};

/** Brings the queue into another order. */
export async function shuffle() {
  const answer = await attempt(() => post("/api/queue/shuffle"));
  if (answer) tell(t("notice.shuffled"), takingBack(answer.undo));
}
