import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { checkPatterns } from "../patterns/check-patterns.ts";
import { exceptions } from "../patterns/exceptions.ts";
import { findPatterns } from "../patterns/find-patterns.ts";
import { collectVerdicts } from "../patterns/measure-pattern-cost.ts";

/*
 * Checks that each regular expression of the sources is linear. With `--write`, keeps the verdicts, so that later
 * checks need not measure these patterns again.
 */

const listed = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"],
  { encoding: "utf8" },
);
const files = listed
  .split("\n")
  .filter((file) => file !== "" && !file.startsWith("test/") && !file.includes(".test."))
  .filter((file) => existsSync(file));
const patterns = files.flatMap((file) => findPatterns(file, readFileSync(file, "utf8")));
const problems = await checkPatterns(patterns, exceptions);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
if (process.argv.includes("--write")) {
  const verdicts = await collectVerdicts(patterns);
  writeFileSync("infra/patterns/verdicts.json", `${JSON.stringify(verdicts, undefined, 2)}\n`);
}
