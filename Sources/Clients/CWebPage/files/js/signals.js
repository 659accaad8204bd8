// Values that tell who reads them: the page's state, and what follows from it.
// Effects run together in a microtask, so that ten changes in a row draw once.

/**
 * @template T
 * @typedef {{value: T, peek: () => T}} Signal
 */
/** @typedef {{run: () => void, sources: Set<Set<Owner>>, children: Owner[], cleanups: (() => void)[], dead: boolean}} Owner */

/** @type {Owner | null} */
let owner = null;
/** @type {Owner | null} */
let reader = null;
/** @type {Set<Owner>} */
let waiting = new Set();
let scheduled = false;

/** Runs what waits; a loop that feeds itself ends after a hundred rounds with an error. */
function flush() {
  scheduled = false;
  for (let round = 0; waiting.size > 0; round++) {
    if (round > 100) {
      waiting = new Set();
      throw new Error("effects feed each other");
    }
    const ready = waiting;
    waiting = new Set();
    for (const effect of ready) if (!effect.dead) effect.run();
  }
}

/** @param {Owner} effect */
function schedule(effect) {
  waiting.add(effect);
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(flush);
}

/**
 * A value whose readers run again when it changes.
 * @template T
 * @param {T} initial
 * @returns {Signal<T>}
 */
export function signal(initial) {
  let current = initial;
  /** @type {Set<Owner>} */
  const readers = new Set();
  return {
    get value() {
      if (reader) {
        readers.add(reader);
        reader.sources.add(readers);
      }
      return current;
    },
    set value(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const effect of readers) schedule(effect);
    },
    peek: () => current,
  };
}

/** @param {Owner} effect */
function clear(effect) {
  for (const child of effect.children) dispose(child);
  for (const readers of effect.sources) readers.delete(effect);
  for (const cleanup of effect.cleanups) cleanup();
  effect.children = [];
  effect.cleanups = [];
  effect.sources.clear();
}

/** @param {Owner} effect */
function dispose(effect) {
  effect.dead = true;
  waiting.delete(effect);
  clear(effect);
}

/**
 * @param {() => void} run
 * @returns {Owner}
 */
function makeOwner(run) {
  /** @type {Owner} */
  const made = { run, sources: new Set(), children: [], cleanups: [], dead: false };
  owner?.children.push(made);
  return made;
}

/**
 * @template T
 * @param {Owner | null} newOwner
 * @param {Owner | null} newReader
 * @param {() => T} work
 * @returns {T}
 */
function within(newOwner, newReader, work) {
  const [oldOwner, oldReader] = [owner, reader];
  owner = newOwner;
  reader = newReader;
  try {
    return work();
  } finally {
    owner = oldOwner;
    reader = oldReader;
  }
}

/**
 * Runs `work` now and again after each change of what it read; returns what ends it.
 * @param {() => void} work
 * @returns {() => void}
 */
export function effect(work) {
  const made = makeOwner(() => {
    clear(made);
    within(made, made, work);
  });
  made.run();
  return () => dispose(made);
}

/**
 * A value that follows from others.
 * @template T
 * @param {() => T} work
 * @returns {Signal<T>}
 */
export function computed(work) {
  const result = signal(/** @type {T} */ (/** @type {unknown} */ (undefined)));
  effect(() => {
    result.value = work();
  });
  return result;
}

/**
 * Runs `work` so that everything it starts ends with the returned function.
 * @template T
 * @param {() => T} work
 * @returns {[T, () => void]}
 */
export function scope(work) {
  const made = within(null, null, () => makeOwner(() => {}));
  return [within(made, null, work), () => dispose(made)];
}

/**
 * Runs `work` after each change of a value, and not at first.
 * @param {Signal<any>} held
 * @param {() => void} work
 */
export function onChange(held, work) {
  let isFirst = true;
  effect(() => {
    held.value;
    if (!isFirst) untracked(work);
    isFirst = false;
  });
}

/**
 * Reads without following.
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
export function untracked(work) {
  return within(owner, null, work);
}

/**
 * Called when the effect or scope around it ends or runs anew.
 * @param {() => void} cleanup
 */
export function onEnd(cleanup) {
  owner?.cleanups.push(cleanup);
}

/**
 * Returns a function that runs later work as if it ran here, so that what it starts ends with this place.
 * @returns {<T>(work: () => T) => T | undefined}
 */
export function here() {
  const place = owner;
  return (work) => (place?.dead ? undefined : within(place, null, work));
}
