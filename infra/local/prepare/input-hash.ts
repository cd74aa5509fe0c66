import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../../..");
const folders = ["functions", "lib", "infra"];
const files = ["package-lock.json", "package.json"];

/** Hashes everything that the bundles depend on: sources, dependencies and the version of Node. */
export const sourceHash = (): string => hashFolders(folders);

/**
 * Folders of lib that the console imports: it reads files of examples, and has the forms of vendors and templates.
 */
export const consoleModules = [
  "lib/agents/job-policy",
  "lib/agents/template",
  "lib/evaluation/dataset",
  "lib/values",
  "lib/vendors",
];

/** Hashes everything that the console depends on. */
export const consoleHash = (): string =>
  hashFolders(["console", "client", "docs", "examples/templates", ...consoleModules]);

const hashFolders = (sourceFolders: readonly string[]): string => {
  const hash = createHash("sha256").update(process.version);
  const sources = sourceFolders.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of [...files.map((file) => join(repository, file)), ...sources.sort()]) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
};

/** Hashes everything that the templates depend on: the sources and the settings. */
export const assemblyHash = (sources: string, settings: unknown): string =>
  createHash("sha256").update(sources).update(JSON.stringify(settings)).digest("hex").slice(0, 16);
