import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import {
  findLicenceProblems,
  isAllowed,
  type LicenceRules,
  readLicenceRules,
} from "../../infra/dependencies/licences.ts";
import { type LockedPackage, readLockfile } from "../../infra/dependencies/lockfile.ts";
import { dependencyFiles, readDependencies } from "../../infra/dependencies/read-dependencies.ts";
import { renderLicences } from "../../infra/dependencies/render-licences.ts";
import { findSbomProblems, renderSbom } from "../../infra/dependencies/sbom.ts";

const Versions = z.record(z.string(), z.string()).default({});
const Manifest = z.object({ dependencies: Versions, devDependencies: Versions });

let packages: LockedPackage[];
let rules: LicenceRules;
let sbom: string;

beforeAll(() => {
  packages = readDependencies();
  rules = readLicenceRules();
  sbom = readFileSync(dependencyFiles.sbom, "utf8");
});

describe("the bill of materials", () => {
  test("has every package of the lockfile, and no other", () => {
    expect(findSbomProblems(sbom, packages)).toEqual([]);
  });

  test("is found outdated when a package is added, updated, removed or moved to the other dependencies", () => {
    const [first, second, ...others] = packages;
    if (!first || !second) throw new Error("the lockfile has no packages");
    const added = { ...first, name: "left-pad", version: "1.3.0" };
    const updated = { ...first, version: "999.0.0" };
    const moved = { ...second, isDevelopment: !second.isDevelopment };
    expect(findSbomProblems(sbom, [...packages, added])).toEqual([
      "The SBOM lacks left-pad@1.3.0.",
    ]);
    expect(findSbomProblems(sbom, [updated, second, ...others])).toHaveLength(2);
    expect(findSbomProblems(sbom, [second, ...others])).toHaveLength(1);
    expect(findSbomProblems(sbom, [first, moved, ...others])).toHaveLength(1);
  });

  test("has nothing that differs from run to run, and is written again unchanged", () => {
    expect(sbom).not.toMatch(/serialNumber|timestamp|"tools"/);
    expect(renderSbom(sbom)).toBe(sbom);
  });
});

describe("licences", () => {
  test("docs/dependencies/licences.md is made from the lockfile", () => {
    expect(readFileSync(dependencyFiles.licences, "utf8")).toBe(renderLicences(packages, rules));
  });

  test("those of shipped packages are allowed, and every exception has a package", () => {
    expect(findLicenceProblems(packages, rules)).toEqual([]);
    const unused = { name: "gone", licence: "GPL-3.0-only", reason: "Used by nobody any more." };
    const all = { ...rules, exceptions: [...rules.exceptions, unused] };
    expect(findLicenceProblems(packages, all)).toHaveLength(1);
  });

  test("a shipped package without an allowed licence is found, a development package is not", () => {
    const copyleft = {
      name: "x",
      version: "1.0.0",
      licence: "AGPL-3.0-only",
      isDevelopment: false,
    };
    const find = (change: Partial<LockedPackage>) =>
      findLicenceProblems([...packages, { ...copyleft, isShipped: true, ...change }], rules);
    expect(find({})).toEqual([expect.stringContaining('x@1.0.0 is shipped under "AGPL-3.0-only"')]);
    expect(find({ licence: undefined })).toHaveLength(1);
    expect(find({ isShipped: false })).toEqual([]);
  });

  test.each([
    ["MIT", true],
    ["GPL-3.0-only", false],
    ["(MIT OR GPL-3.0-or-later)", true],
    ["MIT AND GPL-3.0-only", false],
    ["MIT AND (GPL-3.0-only OR ISC)", true],
    ["GPL-3.0-only OR MIT AND ISC", true],
    ["", false],
    ["(MIT", false],
    ["MIT ISC", false],
    ["MIT OR", false],
  ])("%s is allowed: %s", (expression, expected) => {
    expect(isAllowed(expression, ["MIT", "ISC"])).toBe(expected);
  });
});

describe("shipped packages", () => {
  const lockfile = JSON.stringify({
    packages: {
      "": { dependencies: { a: "1.0.0" }, devDependencies: { f: "1.0.0" } },
      pages: { dependencies: { b: "3.0.0" } },
      tool: { devDependencies: { e: "1.0.0" } },
      "node_modules/tool": { resolved: "tool", link: true },
      "pages/node_modules/b": { version: "3.0.0" },
      "node_modules/a": {
        version: "1.0.0",
        dependencies: { b: "1" },
        optionalDependencies: { c: "1" },
      },
      "node_modules/a/node_modules/b": { version: "1.0.0", peerDependencies: { d: "1" } },
      "node_modules/b": { version: "2.0.0", dev: true },
      "node_modules/c": {
        version: "1.0.0",
        peerDependencies: { f: "1" },
        peerDependenciesMeta: { f: { optional: true } },
      },
      "node_modules/d": { version: "1.0.0" },
      "node_modules/e": { version: "1.0.0", dev: true },
      "node_modules/f": { version: "1.0.0", dev: true },
    },
  });
  const listShipped = (bundled: readonly string[]) =>
    readLockfile(lockfile, bundled)
      .filter(({ isShipped }) => isShipped)
      .map(({ name, version }) => `${name}@${version}`);

  test("are the dependencies of every workspace and all below them, by the versions that Node finds", () => {
    expect(listShipped([])).toEqual(["a@1.0.0", "b@1.0.0", "b@3.0.0", "c@1.0.0", "d@1.0.0"]);
  });

  test("are those that a workspace's package contains, which are development packages to npm", () => {
    expect(listShipped(["tool"])).toContain("e@1.0.0");
    const diff = packages.find(({ name }) => name === "diff");
    expect(diff).toMatchObject({ isShipped: true, isDevelopment: true });
    expect(packages.find(({ name }) => name === "react")).toMatchObject({ isShipped: true });
    expect(packages.find(({ name }) => name === "vitest")).toMatchObject({ isShipped: false });
  });
});

test("manifests that depend on the same package have the same exact version of it", () => {
  const manifests = ["", "cli/", "client/", "console/"].map((place) =>
    Manifest.parse(
      JSON.parse(readFileSync(new URL(`../../${place}package.json`, import.meta.url), "utf8")),
    ),
  );
  const versions = manifests.flatMap(({ dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }),
  );
  const byName = Map.groupBy(versions, ([name]) => name);
  for (const [name, found] of byName) {
    expect([name, [...new Set(found.map(([, version]) => version))]]).toEqual([
      name,
      [expect.stringMatching(/^\d+\.\d+\.\d+(-alpha\.\d+)?$/)],
    ]);
  }
});
