// Printed pages have all rows of all tables, in light colours.
import { setPaper } from "./theme.js";

export function startPaper(sections) {
  let on = false;
  const turn = (now) => {
    if (now === on) {
      return;
    }
    on = now;
    document.querySelectorAll("details.data").forEach((details) => {
      if (now && !details.open) {
        details.open = true;
        details.dataset.opened = "";
      } else if (!now && details.dataset.opened !== undefined) {
        details.open = false;
        delete details.dataset.opened;
      }
    });
    sections().forEach((section) => section.expand(now));
    setPaper(now);
  };
  window.addEventListener("beforeprint", () => turn(true));
  window.addEventListener("afterprint", () => turn(false));
  matchMedia("print").addEventListener("change", (event) => turn(event.matches));
}
