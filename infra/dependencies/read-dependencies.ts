import { readFileSync } from "node:fs";
import { type LockedPackage, readLockfile } from "./lockfile.ts";

const root = new URL("../../", import.meta.url);

/** Files that `npm run sbom` writes. */
export const dependencyFiles = {
  sbom: new URL("docs/dependencies/sbom.cdx.json", root),
  licences: new URL("docs/dependencies/licences.md", root),
} as const;

/** Reads the packages of the lockfile; the CLI's package contains what it imports. */
export const readDependencies = (): LockedPackage[] =>
  readLockfile(readFileSync(new URL("package-lock.json", root), "utf8"), ["cli"]);
