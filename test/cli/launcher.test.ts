import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../cli");

/** Runs `wharf` by a Node that does not read TypeScript, as Node 20 does not. */
const runByOldNode = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, ["--no-strip-types", script, ...args], { encoding: "utf8" });

test.each(["wharf.mjs", "wharf.ts"])(
  "%s runs by the installed Node where the current one does not read TypeScript, and keeps the exit code",
  (name) => {
    const help = runByOldNode(join(folder, name), "--help");
    expect([help.status, help.stderr]).toEqual([0, ""]);
    expect(help.stdout).toContain("Usage: wharf");
    expect(runByOldNode(join(folder, name), "nothing").status).toBe(2);
  },
);

test("without an installed Node it says which one is required, and exits with 1", () => {
  const copy = mkdtempSync(join(tmpdir(), "wharf-launcher-"));
  cpSync(join(folder, "wharf.mjs"), join(copy, "cli/wharf.mjs"));
  const { status, stderr } = runByOldNode(join(copy, "cli/wharf.mjs"), "--help");
  rmSync(copy, { recursive: true });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^wharf: Node 24 is required; this is v\d.*npm ci.*\n$/);
});
