// The keys of the server's configuration that administrators change here; the server names them and their values.
import { put } from "../js/api.js";
import { h } from "../js/dom.js";
import { signal } from "../js/signals.js";
import { attempt, tell } from "../js/store.js";
import { number, t } from "../js/texts.js";

/**
 * @typedef {{key: string, type: string, choices?: string[], least?: number | string, most?: number | string, value: any,
 *   source: string, onPage: boolean, atOnce: boolean, waitsForRestart: boolean}} Setting
 * @typedef {{element: HTMLElement, read: () => any, show: (value: any) => void}} Control
 */

const isSame = (/** @type {any} */ left, /** @type {any} */ right) => JSON.stringify(left) === JSON.stringify(right);

/** The control of one of a few words. @param {Setting} setting @param {any} common @returns {Control} */
function choice(setting, common) {
  const element = h("select", common, ...(setting.choices ?? []).map((value) => h("option", { value, lang: "en" }, value)));
  return { element, read: () => element.value, show: (value) => element.value = value };
}

/** A box for each of some words. @param {Setting} setting @param {any} common @returns {Control} */
function list(setting, { disabled, ...common }) {
  const boxes = (setting.choices ?? []).map((value) => h("input", { type: "checkbox", name: setting.key, value, disabled }));
  const element = h("fieldset.words", common, h("legend", null, t(`settings.key.${setting.key}`)),
    ...boxes.map((box) => h("label", null, box, h("span", { lang: "en" }, box.value))));
  return {
    element,
    read: () => boxes.filter((box) => box.checked).map((box) => box.value),
    show: (value) => boxes.forEach((box) => box.checked = value.includes(box.value)),
  };
}

/** A number within its bounds. @param {Setting} setting @param {any} common @returns {Control} */
function figure(setting, common) {
  const element = h("input", { type: "number", min: setting.least, max: setting.most, step: setting.type === "integer" ? 1 : "any", required: true, ...common });
  return { element, read: () => element.valueAsNumber, show: (value) => element.value = String(value) };
}

/** @param {Setting} setting @param {any} common @returns {Control} */
function control(setting, common) {
  switch (setting.type) {
    case "flag": {
      const element = h("input", { type: "checkbox", role: "switch", ...common });
      return { element, read: () => element.checked, show: (value) => element.checked = value };
    }
    case "choice": return choice(setting, common);
    case "list": return list(setting, common);
    case "integer": case "number": return figure(setting, common);
    default: {
      const element = h("input", { type: "text", required: true, maxlength: 40, autocomplete: "off", ...common });
      return { element, read: () => element.value.trim(), show: (value) => element.value = value };
    }
  }
}

/** The bounds, the value's origin, and whether a restart is due. @param {Setting} setting */
const note = (setting) => [
  typeof setting.least === "number" ? `${number(setting.least)} – ${number(Number(setting.most))}` : setting.least ? `${setting.least} – ${setting.most}` : "",
  t(`settings.from.${setting.source}`), setting.waitsForRestart ? t("settings.waits") : ""].filter(Boolean).join(" · ");

/**
 * A key with its control; what is typed stays until it is saved.
 * @param {Setting} first
 * @param {(changes: {[key: string]: any}) => void} send
 */
function row(first, send) {
  const held = signal(first);
  const [id, about] = [`setting-${first.key}`, `setting-${first.key}-note`];
  const { element, read, show } = control(first, { id, name: first.key, "aria-describedby": about, disabled: first.source === "environment" });
  show(first.value);
  const name = t(`settings.key.${first.key}`);
  return {
    key: first.key,
    element: h("div.setting", { "data-key": first.key },
      first.type === "list" ? element : h("label.choice", { for: id }, h("span", null, name), element),
      h("div.setting-note", null, h("span.sub", { id: about }, () => note(held.value)),
        h("button.quiet", { type: "button", hidden: () => !held.value.onPage, "aria-label": t("settings.resetOf", { name }), onclick: () => send({ [first.key]: null }) }, t("settings.reset")))),
    /** The value that is to be saved; undefined where nothing was changed. */
    changed: () => (isSame(read(), held.peek().value) ? undefined : read()),
    /** Shows a value as the server has it. @param {Setting} [setting] */
    take: (setting) => {
      if (setting) held.value = setting;
      show(held.peek().value);
    },
  };
}

/**
 * A form for each section with the keys that can be changed. What the server refuses goes back to the values of before.
 * @param {Setting[]} settings
 */
export function settingsForm(settings) {
  if (settings.length === 0) return null;
  const rows = settings.map((setting) => row(setting, send));
  /** @param {{[key: string]: any}} changes */
  async function send(changes) {
    const answer = await attempt(() => put("/api/settings", changes));
    for (const each of rows) {
      if (each.key in changes) each.take(answer?.settings.find((/** @type {Setting} */ found) => found.key === each.key));
    }
    if (answer) tell(t(answer.settings.some((/** @type {Setting} */ each) => each.waitsForRestart) ? "settings.savedForRestart" : "settings.saved"));
  }
  const sections = [...new Set(settings.map(({ key }) => key.split(".")[0]))];
  return h("div.settings-form", null, ...sections.map((section) => {
    const own = rows.filter(({ key }) => key.startsWith(`${section}.`));
    const name = t(`settings.section.${section}`);
    return h("details.settings-section", null, h("summary", null, name), h("form", {
      "aria-label": name,
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const changes = Object.fromEntries(own.map((each) => [each.key, each.changed()]).filter(([, value]) => value !== undefined));
        if (Object.keys(changes).length > 0) send(changes);
      },
    }, ...own.map(({ element }) => element), h("div.buttons", null, h("button.primary", { type: "submit" }, t("settings.save")))));
  }));
}
