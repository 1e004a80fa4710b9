// Makes web/bundle from web/src: one script, one style sheet, the script's hash for the page's Content-Security-Policy,
// and the licences of what the script contains, which it carries itself, too, for each report is a copy of it. With
// --check only compares, and says what differs.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));

async function bundle(entry, loader) {
  const result = await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    legalComments: "none",
    charset: "ascii",
    target: ["chrome103", "firefox115", "safari16.4"],
    format: loader === "js" ? "iife" : undefined,
  });
  return { text: result.outputFiles[0].text, inputs: Object.keys(result.metafile.inputs) };
}

// The npm packages that files of a bundle come from.
function packagesOf(inputs) {
  const names = inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean);
  return [...new Set(names)].sort();
}

function licences(names) {
  const parts = ["report.js and report.css contain warpsim's own code (Apache License 2.0, see LICENSE) and:\n"];
  for (const name of names) {
    const home = join(folder, "node_modules", name);
    const about = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    parts.push(`\n==== ${name} ${about.version} (${about.license})\n\n`);
    for (const file of ["NOTICE", "LICENSE", "LICENSE.txt", "CopyrightNotice.txt"]) {
      if (existsSync(join(home, file))) {
        // A browser takes the hash of a script with its line ends made one kind.
        parts.push(readFileSync(join(home, file), "utf8").replace(/\r\n?/g, "\n").trimEnd() + "\n");
      }
    }
  }
  return parts.join("");
}

const script = await bundle("src/main.js", "js");
const style = await bundle("src/style.css", "css");
const notice = licences(packagesOf([...script.inputs, ...style.inputs]));
if (/<\/script|<!--|[^\0-\x7f]/i.test(notice)) {
  throw new Error("the licences hold what a comment in a page cannot");
}
const text = notice.trimEnd().replace(/^/gm, "// ") + `\n${script.text}`;
const hash = createHash("sha256").update(text).digest("base64");
const files = {
  "report.js": text,
  "report.css": style.text,
  "report.js.hash": `sha256-${hash}`,
  "LICENSES.txt": notice,
};
const out = join(folder, "bundle");
mkdirSync(out, { recursive: true });
let different = false;
for (const [name, text] of Object.entries(files)) {
  const path = join(out, name);
  if (process.argv.includes("--check")) {
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
      console.error(`web/bundle/${name} is not what web/src gives: run web/build`);
      different = true;
    }
  } else {
    writeFileSync(path, text);
    console.log(`web/bundle/${name}: ${text.length} bytes`);
  }
}
process.exit(different ? 1 : 0);
