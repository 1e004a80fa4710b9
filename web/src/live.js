// A page of `warpsim serve` polls its server for new results.
import { Pack } from "./codec.js";

const PAUSE = 1500; // ms

export function startLive(page) {
  const root = document.documentElement;
  if (root.dataset.generation === undefined) {
    return;
  }
  page.live.textContent = "live";
  const ask = async () => {
    try {
      const state = await (await fetch("state", { cache: "no-store" })).json();
      if (String(state.generation) !== root.dataset.generation) {
        const answer = await fetch("document", { cache: "no-store" });
        if (!answer.ok) {
          throw new Error(await answer.text());
        }
        const text = await answer.text();
        await page.show(new Pack(text));
        root.dataset.generation = answer.headers.get("X-Generation");
      }
      page.live.textContent = "live";
    } catch (error) {
      page.live.textContent = "not connected: these are the last results";
      page.live.title = error.message;
    }
    setTimeout(ask, PAUSE);
  };
  setTimeout(ask, PAUSE);
}
