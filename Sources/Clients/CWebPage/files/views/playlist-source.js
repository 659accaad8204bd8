// A stored playlist as far as it was looked at: windows from the server, read again once that playlist has changed.
import { get, WINDOW, Windows } from "../js/api.js";
import { onEnd, signal } from "../js/signals.js";
import { on } from "../js/store.js";

/** The server dates changes to the second: so soon after a read, another one has the same date, in milliseconds. */
const SOON = 2000;

/** @typedef {{modified: string | null, readOnly: boolean, duration: number | null, conflictOf: string | null}} Info */

/** @extends {Windows<any>} */
export class PlaylistSource extends Windows {
  /** @param {string} name */
  constructor(name) {
    super(`/api/playlists/${encodeURIComponent(name)}`);
    this.info = signal(/** @type {Info | null} */ (null));
    /** Counts up when rows may stand elsewhere than before. */
    this.edition = signal(0);
    this.readAt = -Infinity;
    // The news don't say which playlist has changed.
    onEnd(on("playlists", () => this.update()));
    onEnd(on("found", () => this.update()));
  }

  /** @param {any} answer */
  note(answer) {
    // Only answers from the first row on say how long everything plays.
    const duration = answer.start === 0 ? answer.duration : this.info.peek()?.duration ?? null;
    this.info.value = { ...answer, items: null, duration };
    this.readAt = performance.now();
  }

  /** @override @param {number} page @param {any} answer */
  take(page, answer) {
    const known = this.info.peek();
    // Windows of another edition than this one are read again.
    if (known && known.modified !== answer.modified) {
      this.setAside();
      this.edition.value++;
    }
    this.note(answer);
    super.take(page, answer);
  }

  /** Looks whether this is the playlist that has changed; those that Segue fills change without a date. */
  async update() {
    const soon = performance.now() - this.readAt < SOON;
    const known = this.info.peek();
    const answer = await get(this.path, { start: 0, count: 1 }).catch(() => null);
    if (!answer) return;
    const isSame = !soon && !answer.readOnly && known?.modified === answer.modified
      && answer.total === this.total.peek();
    this.note(answer);
    if (isSame) return;
    this.total.value = answer.total;
    this.reload();
  }

  /** @override */
  reload() {
    super.reload();
    this.edition.value++;
  }

  /** @returns {any[]} all rows; undefined where none was looked at */
  rows() {
    return Array.from({ length: this.total.peek() ?? 0 }, (_, index) => this.get(index));
  }

  /**
   * Shows rows at other places before the server has answered; its news bring what was never looked at.
   * @param {any[]} rows
   * @returns {() => void} what takes that back
   */
  show(rows) {
    const [pages, total] = [new Map([...this.before, ...this.pages]), this.total.peek()];
    const next = new Map([...pages.keys()].map((page) => [page, rows.slice(page * WINDOW, (page + 1) * WINDOW)]));
    this.stopLoading();
    this.exchange(next, rows.length);
    return () => this.pages === next ? this.exchange(pages, total) : this.reload();
  }

  /** @param {Map<number, any[]>} pages @param {number | null} total */
  exchange(pages, total) {
    [this.pages, this.before] = [pages, new Map()];
    this.total.value = total;
    this.changed.value++;
    this.edition.value++;
  }
}
