// What an address that leads nowhere shows.
import { h } from "../js/dom.js";
import { empty, page } from "../js/parts.js";
import { t } from "../js/texts.js";

export default function unknownView() {
  return page(t("error.noView"), [], empty("search", t("error.noViewHow"), h("a.primary", { href: "#/home" }, t("nav.home"))));
}
