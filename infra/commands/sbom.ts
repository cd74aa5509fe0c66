import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { readLicenceRules } from "../dependencies/licences.ts";
import { dependencyFiles, readDependencies } from "../dependencies/read-dependencies.ts";
import { renderLicences } from "../dependencies/render-licences.ts";
import { renderSbom } from "../dependencies/sbom.ts";

// `npm run sbom`: writes the SBOM and the licences of the dependencies from package-lock.json.
const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
const printed = execFileSync("npm", args, {
  encoding: "utf8",
  maxBuffer: 64 * 1_048_576,
  stdio: ["ignore", "pipe", "inherit"],
});
writeFileSync(dependencyFiles.sbom, renderSbom(printed));
writeFileSync(dependencyFiles.licences, renderLicences(readDependencies(), readLicenceRules()));
