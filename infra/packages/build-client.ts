import { execFileSync } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const dist = `${root}client/dist/`;

/** Compiles the client to JavaScript and declarations, one file for each module. */
await rm(dist, { recursive: true, force: true });
execFileSync(
  `${root}node_modules/.bin/tsc`,
  [
    ...["--ignoreConfig", "client/index.ts", "--outDir", dist, "--rootDir", "client"],
    ...["--target", "es2022", "--lib", "es2023,dom,dom.iterable,dom.asynciterable"],
    ...["--module", "nodenext", "--declaration", "--rewriteRelativeImportExtensions"],
    ...["--strict", "--skipLibCheck", "--types", "node"],
  ],
  { cwd: root, stdio: "inherit" },
);
for (const name of await readdir(dist)) {
  if (!name.endsWith(".d.ts")) continue;
  const text = await readFile(dist + name, "utf8");
  await writeFile(dist + name, text.replaceAll(/(from ")(\.\/[\w-]+)\.ts"/g, '$1$2.js"'));
}
