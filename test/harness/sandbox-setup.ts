import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { bundleSandbox } from "../../infra/build/bundle-sandbox.ts";
import { writeFunction } from "../../infra/build/write-function.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Directory of the compiled modules of the sandbox. */
    sandboxModules: string;
  }
}

const lib = resolve(import.meta.dirname, "../../lib");

/** Compiles the sandbox's thread and tasks once for all tests, as a build does for a function. */
export const setup = async (project: TestProject): Promise<() => void> => {
  const tasks = globSync("**/*-task.ts", { cwd: lib }).map((file) => `"./${basename(file)}"`);
  const code = tasks.join("\n");
  const folder = mkdtempSync(join(tmpdir(), "wharf-sandbox-"));
  // Minifying takes three quarters of the processor time that bundling takes.
  const files = (await bundleSandbox([code], false))(code);
  const { directory } = await writeFunction(folder, { name: "sandbox", index: "" }, files);
  project.provide("sandboxModules", directory);
  return () => rmSync(folder, { recursive: true });
};
