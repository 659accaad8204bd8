// Signing in with one of the server's passwords.
import { post } from "../js/api.js";
import { h } from "../js/dom.js";
import { icon, page } from "../js/parts.js";
import { go, route } from "../js/router.js";
import { signal } from "../js/signals.js";
import { reconnect, tell } from "../js/store.js";
import { t } from "../js/texts.js";

/** What this device is called in the list of those that are signed in. */
const device = () => {
  const agent = navigator.userAgent;
  // Most name others that they are like, too, behind or in front of their own name.
  const system = ["Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux"].find((each) => agent.includes(each)) ?? "";
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((each) => agent.includes(each)) ?? "";
  return [browser === "Edg" ? "Edge" : browser, system === "Macintosh" ? "macOS" : system].filter(Boolean).join(", ") || "Browser";
};

/** A code in the address signs this browser in, and leaves the address. */
export async function pairByAddress() {
  const code = location.hash.match(/^#pair=([\w-]{4,40})$/)?.[1];
  if (!code) return;
  history.replaceState(null, "", "#/home");
  route.value = { path: ["home"], query: new URLSearchParams(), raw: "home" };
  await post("/api/pair", { code, device: device() });
  tell(t("notice.paired"));
  reconnect();
}

export default function signInView() {
  const failure = signal("");
  const busy = signal(false);
  const password = h("input", { type: "password", name: "password", autocomplete: "current-password", required: true, "aria-label": t("signin.password"), placeholder: t("signin.password") });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    busy.value = true;
    failure.value = "";
    try {
      await post("/api/session", { password: password.value, device: device() });
      reconnect();
      go("#/home", { replace: true });
    } catch (error) {
      failure.value = /** @type {Error} */ (error).message;
      password.select();
    }
    busy.value = false;
  };
  return page(t("signin.title"), [], h("form.sign-in", { onsubmit: submit },
    h("span.brand-mark", { "aria-hidden": "true" }), h("p", null, t("signin.why")),
    h("input", { type: "text", name: "username", value: "segue", autocomplete: "username", hidden: true }),
    password,
    () => (failure.value ? h("p.error-line", { role: "alert" }, failure.value) : null),
    h("button.primary", { type: "submit", disabled: () => busy.value }, icon("key"), t("signin.submit"))));
}
