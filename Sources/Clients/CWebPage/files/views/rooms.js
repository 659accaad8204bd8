// Every output and room with a volume of its own, and the partitions.
import { partition, patch, post, put, remove } from "../js/api.js";
import { each, h } from "../js/dom.js";
import { ask, empty, icon, iconButton, needs, openSheet, page } from "../js/parts.js";
import { volumeControl } from "../js/player.js";
import { computed } from "../js/signals.js";
import { attempt, choosePartition, may, outputs, ownOutputs, partitions, permissions, queue, shownPlayer, song, takeName, tell } from "../js/store.js";
import { t } from "../js/texts.js";

/** @typedef {import("../js/store.js").Output} Output */

/** How an output sounds, in words that people know; the rest are names of systems. @param {string} type */
const kind = (type) => ["auto", "httpd", "null"].includes(type) ? t(`rooms.type.${type}`) : type;

/** @param {Output} output @param {Partial<Output>} changes */
const show = (output, changes) => () => {
  const before = outputs.peek();
  outputs.value = before.map((one) => (one.id === output.id ? { ...one, ...changes } : one));
  return () => outputs.value = before;
};

/** @param {Output} output @param {any} changes */
const change = (output, changes) => attempt(() => patch(`/api/outputs/${encodeURIComponent(output.id)}`, changes), show(output, changes));

/** A button that is held goes on in larger steps. @param {() => void} step */
function held(step) {
  let timer = 0;
  const stop = () => clearInterval(timer);
  return {
    onpointerdown: () => {
      stop();
      timer = setInterval(step, 300);
    },
    onpointerup: stop, onpointerleave: stop, onpointercancel: stop,
    // The system's own menu would end what a finger does.
    oncontextmenu: (/** @type {Event} */ event) => event.preventDefault(),
  };
}

/** A room's own volume: what a finger does at once, and what − and + do by a step. @param {import("../js/signals.js").Signal<Output>} room */
function volume(room) {
  const now = () => room.value.volume ?? 0;
  let [busy, wanted] = [false, -1];
  const set = async (/** @type {number} */ to) => {
    wanted = Math.max(0, Math.min(100, Math.round(to)));
    show(room.peek(), { volume: wanted })();
    if (busy) return;
    busy = true;
    while (wanted >= 0) {
      const next = wanted;
      wanted = -1;
      await change(room.peek(), { volume: next });
    }
    busy = false;
  };
  let before = 40;
  const mute = () => {
    if (now() > 0) {
      before = now();
      set(0);
    } else set(before);
  };
  return h("div.volume", { hidden: () => room.value.volume === null },
    h("button.icon-button", { type: "button", "aria-pressed": () => String(now() === 0), "aria-label": () => t("rooms.mute", { name: room.value.name }), onclick: mute, ...needs("control") },
      () => icon(now() === 0 ? "mute" : "volume")),
    iconButton("minus", t("player.quieter"), (event) => set(now() - (event.shiftKey ? 5 : 1)), { ...needs("control"), ...held(() => set(now() - 5)) }),
    h("input.range", { type: "range", min: 0, max: 100, value: now, "aria-label": () => t("rooms.volume", { name: room.value.name }),
      "aria-valuetext": () => t("player.percent", { n: now() }), style: { "--part": () => `${now()}%` }, disabled: () => !may("control"),
      oninput: (/** @type {any} */ event) => set(Number(event.target.value)) }),
    iconButton("plus", t("player.louder"), (event) => set(now() + (event.shiftKey ? 5 : 1)), { ...needs("control"), ...held(() => set(now() + 5)) }),
    h("span.percent", null, () => String(now())));
}

/** @param {Output} output */
function menu(output) {
  const latency = output.attributes?.latency;
  const step = (/** @type {number} */ by) => {
    const changed = { latency: String(Number(latency) + by) };
    return attempt(() => patch(`/api/outputs/${encodeURIComponent(output.id)}`, { attributes: changed }), show(output, { attributes: { ...output.attributes, ...changed } }));
  };
  openSheet({
    title: output.name, sub: kind(output.type),
    items: [
      ...partitions.peek().filter((name) => name !== output.partition && partitions.peek().length > 1).map((name) => (
        { icon: "rooms", label: t("rooms.moveTo", { name: shownPlayer(name) }), needs: "admin", run: () => change(output, { partition: name }) })),
      ...(output.listen ? [{ icon: "headphones", label: t("listen.here"), run: async () => (await import("./listen.js")).openListen(output) }] : []),
      ...(latency === undefined ? [] : [
        { icon: "minus", label: t("rooms.earlier", { n: Number(latency) }), needs: "admin", run: () => step(-10) },
        { icon: "plus", label: t("rooms.later", { n: Number(latency) }), needs: "admin", run: () => step(10) },
      ]),
      h("dl.facts", null, ...Object.entries(output.attributes ?? {}).flatMap(([key, value]) => [h("dt", null, key), h("dd", null, value)])),
    ],
  });
}

/** @param {import("../js/signals.js").Signal<Output>} room */
const roomRow = (room) =>
  h("article.room", { class: { off: () => !room.value.enabled }, "aria-label": () => room.value.name },
    h("div.room-head", null,
      h("span.room-icon", null, () => icon(room.value.listen ? "headphones" : "rooms")),
      h("div.names", null, h("h3.title", null, () => room.value.name), h("p.sub", null, () => [kind(room.value.type), partitions.value.length > 1 ? shownPlayer(room.value.partition) : null].filter(Boolean).join(" · "))),
      iconButton("more", () => t("menu.moreFor", { name: room.value.name }), () => menu(room.peek())),
      h("button.toggle", { type: "button", role: "switch", "aria-checked": () => String(room.value.enabled), "aria-label": () => t("rooms.switch", { name: room.value.name }),
        onclick: () => change(room.peek(), { enabled: !room.peek().enabled }), ...needs("control") }, h("span.knob", { "aria-hidden": "true" }))),
    h("p.error-line", { role: "status", hidden: () => !room.value.enabled || !room.value.problem }, () => room.value.problem ?? ""),
    volume(room));

/** Another player goes on with this one's queue, at the very place; the page follows. */
function takeAlong() {
  openSheet({
    title: t("rooms.takeAlong"), sub: song.peek()?.title ?? "",
    items: partitions.peek().filter((name) => name !== (partition.peek() ?? partitions.peek()[0])).map((name) => (
      { icon: "rooms", label: shownPlayer(name), needs: "player", run: async () => {
        const answer = await attempt(() => post("/api/player/transfer", { to: name }));
        if (!answer) return;
        choosePartition(name);
        tell(t(answer.outputs > 0 ? "notice.taken" : "notice.takenSilent", { name: shownPlayer(name) }));
      } })),
  });
}

/** MPD's rule for names of partitions, which apps count on; longer ones fit no screen. */
const NAME = () => ({ pattern: /^[A-Za-z0-9_-]{1,40}$/, rule: t("rooms.nameRule") });

/** @param {string} old */
async function rename(old) {
  const name = await ask({ title: t("rooms.renamePartition"), label: t("playlists.name"), value: old, ok: t("playlists.rename"), ...NAME() });
  if (!name || name === old) return;
  if (await attempt(() => put(`/api/partitions/${encodeURIComponent(old)}`, { name })) === undefined) return;
  if (partition.peek() === old) takeName(name);
  tell(t("notice.partitionRenamed", { old, name }));
}

/** One partition is the player that this page steers. */
function partitionChips() {
  const current = () => partition.value ?? partitions.value[0] ?? "default";
  return h("section.partitions", { hidden: () => partitions.value.length < 2 && !permissions.value.includes("admin"), "aria-label": t("rooms.partitions") },
    h("h2", null, t("rooms.partitions")),
    h("div.chips.wrap", null, () => partitions.value.map((name) =>
      h("button.chip", { type: "button", "aria-pressed": () => String(current() === name), onclick: () => choosePartition(name) }, shownPlayer(name))),
      h("button.chip.add", { type: "button", onclick: async () => {
        const name = await ask({ title: t("rooms.newPartition"), label: t("playlists.name"), ok: t("playlists.create"), ...NAME() });
        if (name && await attempt(() => post("/api/partitions", { name })) !== undefined) tell(t("notice.partitionMade", { name }));
      }, ...needs("admin") }, icon("plus"), t("rooms.newPartition")),
      () => (partitions.value.length > 1 && queue.value.length > 0
        ? h("button.chip", { type: "button", onclick: takeAlong, ...needs("player") }, icon("next"), t("rooms.takeAlong")) : null),
      // It stays where it is when the name changes, and keeps the focus.
      h("button.chip", { type: "button", hidden: () => current() === "default", onclick: () => rename(current()), ...needs("admin") },
        icon("edit"), t("rooms.renamePartition")),
      () => (current() !== "default" ? h("button.chip", { type: "button", onclick: async () => {
        const gone = current();
        choosePartition("default");
        await attempt(() => remove(`/api/partitions/${encodeURIComponent(gone)}`));
      }, ...needs("admin") }, icon("trash"), t("rooms.removePartition")) : null)));
}

export default function roomsView() {
  const isOwn = (/** @type {Output} */ one) => Number(ownOutputs.value.includes(one));
  const sorted = computed(() => [...outputs.value].sort((one, other) =>
    isOwn(other) - isOwn(one) || Number(other.enabled) - Number(one.enabled) || one.name.localeCompare(other.name)));
  // Rows keep their order while somebody switches them, so that the next tap meets what it aimed at.
  /** @type {string[]} */
  let order = [];
  const steady = () => {
    const now = sorted.value;
    if (now.length !== order.length || now.some((one) => !order.includes(one.id))) order = now.map((one) => one.id);
    return [...now].sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
  };
  return page(t("nav.rooms"), [h("a.icon-button", { href: "#/settings", "aria-label": t("nav.settings"), title: t("nav.settings") }, icon("settings"))],
    h("section.everywhere", { "aria-label": t("rooms.everywhere") }, h("h2", null, t("rooms.everywhere")), volumeControl()),
    each(h("div.rooms"), steady, (one) => one.id, roomRow),
    () => (outputs.value.length === 0 ? empty("rooms", t("rooms.none")) : null),
    partitionChips());
}
