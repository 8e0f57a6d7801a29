// Builds the pages into the server's package: hashed files, each also compressed, and the document that loads them.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "..", "src", "pitbook", "server", "static", "ui");
const draft = `${target}.draft-${process.pid}`; // two builds at once do not meet
const assets = join(draft, "assets");

await mkdir(assets, { recursive: true });

const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: { main: "src/main.tsx", style: "src/styles/index.css" },
  outdir: assets,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  loader: { ".svg": "file", ".woff2": "file" },
});

const outputs = Object.entries(metafile.outputs);
const made = entry => outputs.find(([, output]) => output.entryPoint === entry);
const [script, main] = made("src/main.tsx");
const [style] = made("src/styles/index.css");

// The licences of the packages whose code is in the pages: the wheel carries them.
const packages = new Set(
  Object.keys(metafile.inputs).flatMap(path => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []),
);
const notices = await Promise.all([...packages].sort().map(notice));
await writeFile(join(draft, "THIRD-PARTY-NOTICES.txt"), notices.join("\n"));

async function notice(name) {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find(one => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} ${version} has no licence file: the pages cannot be distributed with it`);
  return `${name} ${version} (${license})\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
}

const picture = await readFile(join(here, "icon.svg"));
const icon = `icon-${createHash("sha256").update(picture).digest("hex").slice(0, 8)}.svg`;
await writeFile(join(assets, icon), picture);

// What the first script imports at once is asked for with it, not after it.
const preloads = main.imports
  .filter(one => one.kind === "import-statement")
  .map(one => `<link rel="modulepreload" href="/assets/${basename(one.path)}">`);

const page = await readFile(join(here, "index.html"), "utf8");
const filled = { script: basename(script), style: basename(style), icon, preloads: preloads.join("\n") };
await writeFile(
  join(draft, "index.html"),
  page.replace(/\{\{(\w+)\}\}\n?/g, (all, name) =>
    filled[name] ? filled[name] + (all.endsWith("\n") ? "\n" : "") : "",
  ),
);

for (const name of await readdir(assets)) {
  const content = await readFile(join(assets, name));
  await writeFile(
    join(assets, `${name}.br`),
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  );
  await writeFile(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
}

const before = `${target}.before-${process.pid}`;
await rename(target, before).catch(() => {});
await rename(draft, target);
await rm(before, { recursive: true, force: true });
