import { globSync, readFileSync } from "node:fs";
import { type LockedPackage, readLockfile } from "./lockfile.ts";

const root = new URL("../../", import.meta.url);

/** Files that `npm run sbom` writes. */
export const dependencyFiles = {
  sbom: new URL("docs/dependencies/sbom.cdx.json", root),
  licences: new URL("docs/dependencies/licences.md", root),
} as const;

const importedName = /(?:from|import) "((?:@[^/"]+\/)?[^./"][^/"]*)/g;

/** Reads the packages of the lockfile; what the console's pages import is shipped, too. */
export const readDependencies = (): LockedPackage[] => {
  const files = globSync("console/src/**/*.{ts,tsx}", { cwd: root.pathname });
  const imported = files.flatMap((file) =>
    [...readFileSync(new URL(file, root), "utf8").matchAll(importedName)].map(
      ([, name = ""]) => name,
    ),
  );
  return readLockfile(readFileSync(new URL("package-lock.json", root), "utf8"), [
    ...new Set(imported),
  ]);
};
