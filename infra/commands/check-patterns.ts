import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { checkPatterns } from "../patterns/check-patterns.ts";
import { exceptions } from "../patterns/exceptions.ts";
import { findPatterns } from "../patterns/find-patterns.ts";

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
