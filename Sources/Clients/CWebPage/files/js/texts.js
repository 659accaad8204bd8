// The page's words in the browser's language, with its rules for plurals, numbers and times.

/** @type {{[key: string]: string | {[form: string]: string}}} */
let texts = {};
/** @type {{[key: string]: string | {[form: string]: string}}} */
let english = {};
export let language = "en";
/** The language with the region of the browser, whose numbers and dates people write. */
export let locale = "en";
let plurals = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");

export const LANGUAGES = ["en", "de", "fr", "es", "ja"];
const RIGHT_TO_LEFT = ["ar", "fa", "he", "ur"];

/**
 * The first of the wanted languages that there is.
 * @param {readonly string[]} wanted
 * @returns {string}
 */
export function choose(wanted) {
  for (const tag of wanted) {
    const found = LANGUAGES.find((each) => tag.toLowerCase().split("-")[0] === each);
    if (found) return found;
  }
  return "en";
}

/** @param {string} name */
async function read(name) {
  const response = await fetch(new URL(`../texts/${name}.json`, import.meta.url));
  return response.ok ? await response.json() : {};
}

/** Fetches the words of the language that was chosen here, or else of the browser's. */
export async function loadTexts() {
  language = choose([localStorage.getItem("language") ?? "", ...navigator.languages]);
  texts = await read(language);
  // Words that a translation lacks are read in English; the tests see to it that there are none.
  if (language !== "en" && Object.keys(texts).length === 0) english = await read("en");
  locale = navigator.languages.find((tag) => choose([tag]) === language && tag.startsWith(language)) ?? language;
  plurals = new Intl.PluralRules(language);
  numbers = new Intl.NumberFormat(locale);
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr";
}

/**
 * A text by its key. `{n}` is a number, by which the plural form is chosen; other names in braces are replaced as they are.
 * @param {string} key
 * @param {{[name: string]: string | number | null | undefined}} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const found = texts[key] ?? english[key] ?? key;
  const form = typeof found === "string" ? found : found[plurals.select(Number(values.n ?? 0))] ?? found.other;
  return form.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? numbers.format(value) : value ?? "";
  });
}

/** @param {number} value @returns {string} */
export const number = (value) => numbers.format(value);

/**
 * A song's length or a place in it, as `4:07` or `1:02:03`.
 * @param {number | null | undefined} seconds
 * @returns {string}
 */
export function clock(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–:––";
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const tail = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/**
 * A time of today, or else with its day.
 * @param {number} when milliseconds since 1970
 * @returns {string}
 */
export function moment(when) {
  const time = new Date(when);
  const isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString(locale, isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/**
 * A long time in words: `2 hr 5 min`.
 * @param {number | null | undefined} seconds
 * @returns {string}
 */
export function span(seconds) {
  if (!seconds || !Number.isFinite(seconds)) return "";
  const minutes = Math.max(1, Math.round(seconds / 60));
  const parts = { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
  const Format = /** @type {any} */ (Intl).DurationFormat;
  if (Format) return new Format(language, { style: "short" }).format(parts);
  const units = /** @type {[number, string][]} */ ([[parts.days, "day"], [parts.hours, "hour"], [parts.minutes, "minute"]]);
  return units.filter(([value]) => value > 0)
    .map(([value, unit]) => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value))
    .join(" ");
}

/**
 * A place in a song for screen readers: `1 minute 5 seconds of 4 minutes`.
 * @param {number} elapsed
 * @param {number | null} duration
 * @returns {string}
 */
export const spoken = (elapsed, duration) => t("player.position", { elapsed: inWords(elapsed), duration: inWords(duration) });

/** A time in whole words, as "1:05" is read as a time of day by some. @param {number | null} seconds */
function inWords(seconds) {
  if (seconds === null || !Number.isFinite(seconds)) return clock(seconds);
  const whole = Math.max(0, Math.floor(seconds));
  const parts = /** @type {[number, string][]} */ ([[Math.floor(whole / 3600), "hour"], [Math.floor(whole / 60) % 60, "minute"], [whole % 60, "second"]]);
  const said = parts.filter(([value, unit]) => value > 0 || (unit === "second" && whole === 0));
  return said.map(([value, unit]) => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value)).join(" ");
}
