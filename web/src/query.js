// The query of displayed numbers, to view and copy.
import { h } from "./dom.js";

export function queryDisclosure(entries) {
  const list = entries.filter((entry) => entry && entry.sql);
  return h(
    "details",
    { class: "query" },
    h("summary", {}, list.length > 1 ? "SQL of these numbers" : "SQL"),
    list.map((entry) => h("div", {}, entry.label && h("p", { class: "remark" }, entry.label), sqlBlock(entry.sql))),
  );
}

function sqlBlock(sql) {
  const status = h("span", { class: "remark", role: "status" });
  const copy = async () => {
    status.textContent = (await copied(sql)) ? "copied" : "select the text to copy it";
    setTimeout(() => (status.textContent = ""), 2000);
  };
  return h(
    "div",
    { class: "sql" },
    h("pre", { tabindex: "0" }, h("code", {}, `${sql};`)),
    h("button", { type: "button", onclick: copy }, "Copy"),
    status,
  );
}

// Pages opened from files may have no clipboard interface.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { class: "offscreen" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

// The queries of one table in all databases that have rows in it.
export function queriesOf(report, names) {
  const entries = [];
  for (const name of names) {
    for (const database of report.databases) {
      const table = database.tables[name];
      entries.push({ sql: table.sql, label: `${table.title}, ${database.path}` });
      if (report.databases.every((other) => other.tables[name].sql === table.sql) && !report.several) {
        break;
      }
    }
  }
  return entries;
}
