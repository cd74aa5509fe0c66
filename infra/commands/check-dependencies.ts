import { readFileSync } from "node:fs";
import { findLicenceProblems, readLicenceRules } from "../dependencies/licences.ts";
import { dependencyFiles, readDependencies } from "../dependencies/read-dependencies.ts";
import { renderLicences } from "../dependencies/render-licences.ts";
import { findSbomProblems } from "../dependencies/sbom.ts";

const packages = readDependencies();
const rules = readLicenceRules();
const read = (file: URL): string => readFileSync(file, "utf8");

const outdated = findSbomProblems(read(dependencyFiles.sbom), packages);
if (read(dependencyFiles.licences) !== renderLicences(packages, rules)) {
  outdated.push("docs/dependencies/licences.md is not made from the lockfile.");
}
for (const problem of [...outdated, ...findLicenceProblems(packages, rules)]) {
  console.error(problem);
  process.exitCode = 1;
}
if (outdated.length > 0) console.error("Run `npm run sbom`.");
