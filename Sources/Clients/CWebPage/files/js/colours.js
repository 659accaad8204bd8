// Colours drawn from a picture, made readable whatever the picture is.
import { signal } from "./signals.js";

/** @typedef {[number, number, number]} Triple */
/** @typedef {{hue: number, chroma: number, second: number}} Palette */

/** @param {number} value 0 to 1 */
const toLinear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
/** @param {number} value 0 to 1 */
const toGamma = (value) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/**
 * @param {Triple} rgb 0 to 1
 * @returns {Triple} lightness, a and b of OKLab
 */
export function toOklab([red, green, blue]) {
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/**
 * @param {number} lightness
 * @param {number} chroma
 * @param {number} hue degrees
 * @returns {Triple} sRGB, 0 to 1
 */
export function fromOklch(lightness, chroma, hue) {
  const [a, b] = [chroma * Math.cos(hue * Math.PI / 180), chroma * Math.sin(hue * Math.PI / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (/** @type {number} */ value) => Math.min(1, Math.max(0, toGamma(Math.max(0, value))));
  return [
    clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/**
 * WCAG's contrast of two colours, 1 to 21.
 * @param {Triple} one
 * @param {Triple} other
 * @returns {number}
 */
export function contrast(one, other) {
  const luminance = (/** @type {Triple} */ [r, g, b]) => 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);
  const [light, dark] = [luminance(one), luminance(other)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * The two colours that a picture is about, by k-means over its pixels; grey ones count little.
 * @param {Uint8ClampedArray} pixels RGBA
 * @returns {Palette}
 */
export function palette(pixels) {
  /** @type {Triple[]} */
  const points = [];
  for (let at = 0; at < pixels.length; at += 4) {
    points.push(toOklab([pixels[at] / 255, pixels[at + 1] / 255, pixels[at + 2] / 255]));
  }
  let centres = [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => points[Math.floor(part * (points.length - 1))]);
  /** @type {number[]} */
  let weights = [];
  for (let round = 0; round < 8; round++) {
    const sums = centres.map(() => [0, 0, 0, 0]);
    for (const [l, a, b] of points) {
      let best = 0;
      let nearest = Infinity;
      centres.forEach((centre, index) => {
        const distance = (centre[0] - l) ** 2 * 0.5 + (centre[1] - a) ** 2 * 2 + (centre[2] - b) ** 2 * 2;
        if (distance < nearest) [nearest, best] = [distance, index];
      });
      const sum = sums[best];
      sum[0] += l;
      sum[1] += a;
      sum[2] += b;
      sum[3]++;
    }
    weights = sums.map((sum) => sum[3] / points.length);
    centres = sums.map((sum, index) =>
      sum[3] === 0 ? centres[index] : [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]]
    );
  }
  const ranked = centres.map(([l, a, b], index) => {
    const chroma = Math.hypot(a, b);
    const extreme = l < 0.12 || l > 0.96 ? 0.3 : 1;
    return { chroma, hue: Math.atan2(b, a) * 180 / Math.PI, score: weights[index] * (0.02 + chroma) * extreme };
  }).sort((x, y) => y.score - x.score);
  return { hue: ranked[0].hue, chroma: ranked[0].chroma, second: ranked[1].chroma > 0.03 ? ranked[1].hue : ranked[0].hue };
}

/**
 * A colour that screens can show: with as much of its chroma as fits.
 * @param {number} lightness
 * @param {number} chroma
 * @param {number} hue
 */
function shown(lightness, chroma, hue) {
  for (let part = chroma; part > 0.004; part *= 0.9) {
    const rgb = fromOklch(lightness, part, hue);
    if (Math.abs(toOklab(rgb)[0] - lightness) < 0.006 && rgb.every((each) => each > 0 && each < 1)) return rgb;
  }
  return fromOklch(lightness, 0, hue);
}

/** @param {Triple} rgb */
const css = (rgb) => `rgb(${rgb.map((part) => Math.round(part * 255)).join(" ")})`;

/**
 * Backgrounds and an accent from a palette. The accent and the words have a contrast of 4.5 on every background.
 * @param {Palette} colours
 * @param {boolean} isDark
 * @returns {{[name: string]: string}} custom properties
 */
export function theme(colours, isDark) {
  const chroma = Math.min(colours.chroma, isDark ? 0.085 : 0.05);
  const ground = shown(isDark ? 0.31 : 0.92, chroma, colours.hue);
  const deep = shown(isDark ? 0.195 : 0.975, chroma * 0.55, colours.second);
  const raised = shown(isDark ? 0.345 : 0.985, chroma * 0.75, colours.hue);
  const grounds = [ground, deep, raised];
  let lightness = isDark ? 0.78 : 0.55;
  const vivid = colours.chroma < 0.02 ? 0.012 : Math.min(0.15, Math.max(0.09, colours.chroma));
  let accent = shown(lightness, vivid, colours.hue);
  while (grounds.some((each) => contrast(accent, each) < 4.6) && lightness > 0.02 && lightness < 0.98) {
    lightness += isDark ? 0.02 : -0.02;
    accent = shown(lightness, vivid, colours.hue);
  }
  return {
    "--art-ground": css(ground),
    "--art-deep": css(deep),
    "--art-raised": css(raised),
    "--art-accent": css(accent),
    "--art-on-accent": contrast(accent, [0, 0, 0]) > contrast(accent, [1, 1, 1]) ? "#000" : "#fff",
  };
}

/** @type {Map<string, Palette>} */
const known = new Map();

/** The colours of what plays, and null without a picture. */
export const playing = signal(/** @type {Palette | null} */ (null));

/**
 * Finds a cover's colours; null when there is no picture.
 * @param {string | null | undefined} cover
 * @returns {Promise<Palette | null>}
 */
export async function coloursOf(cover) {
  if (!cover) return null;
  const found = known.get(cover);
  if (found) return found;
  const image = new Image();
  image.src = `/cover/${encodeURIComponent(cover)}/96`;
  try {
    await image.decode();
  } catch {
    return null;
  }
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 24;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  context.drawImage(image, 0, 0, 24, 24);
  const made = palette(context.getImageData(0, 0, 24, 24).data);
  if (known.size > 200) known.clear();
  known.set(cover, made);
  return made;
}

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark: what was chosen here, or else what the system says. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && dark.matches);
}

/**
 * Gives an element the colours of a picture; without one those of the page.
 * @param {HTMLElement} element
 * @param {Palette | null} colours
 */
export function paint(element, colours) {
  const values = theme(colours ?? { hue: 275, chroma: 0.03, second: 300 }, isDark());
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, value);
}

/** @param {() => void} work called when dark becomes light or the other way round */
export function onThemeChange(work) {
  dark.addEventListener("change", work);
  addEventListener("themechange", work);
}
