// The head of an album or an artist.
import { h } from "../js/dom.js";

/** Its name; a tap shows one whole that is too long. @param {string} text */
export const heroTitle = (text) =>
  h("h2.hero-title", { title: text, class: { long: text.length > 60 },
    onclick: (/** @type {Event} */ event) => /** @type {HTMLElement} */ (event.currentTarget).classList.toggle("whole") }, text);
