import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../../..");
const folders = ["functions", "lib", "infra"];
const files = ["package-lock.json", "package.json"];

/** A hash of all that decides what a build and a synthesis make: sources, dependencies, settings, Node. */
export const inputHash = (settings: unknown): string => {
  const hash = createHash("sha256").update(process.version).update(JSON.stringify(settings));
  const sources = folders.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of [...files.map((each) => join(repository, each)), ...sources.sort()]) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.digest("hex");
};
