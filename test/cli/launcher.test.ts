import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { newHome } from "./run-wharf.ts";
import { json, startStandIn } from "./stand-in.ts";

const folder = join(import.meta.dirname, "../../cli");

/** Runs `wharf` by a Node that does not read TypeScript, as Node 20 does not. */
const runByOldNode = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, ["--no-strip-types", script, ...args], { encoding: "utf8" });

test.each(["wharf.mjs", "wharf.ts"])(
  "%s runs by the installed Node where the current one does not read TypeScript, and keeps the exit code",
  { tags: "nightly" },
  (name) => {
    const help = runByOldNode(join(folder, name), "--help");
    expect([help.status, help.stderr]).toEqual([0, ""]);
    expect(help.stdout).toContain("Usage: wharf");
    expect(runByOldNode(join(folder, name), "nothing").status).toBe(2);
  },
);

test("without an installed Node it prints the required version, and exits with 1", {
  tags: "nightly",
}, () => {
  const copy = mkdtempSync(join(tmpdir(), "wharf-launcher-"));
  cpSync(join(folder, "wharf.mjs"), join(copy, "cli/wharf.mjs"));
  const { status, stderr } = runByOldNode(join(copy, "cli/wharf.mjs"), "--help");
  rmSync(copy, { recursive: true });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^wharf: Node 24 is required; this is v\d.*npm ci.*\n$/);
});

/** Starts `wharf executions tail` by a Node that starts the other one; resolves when it polls the API. */
const startTail = async () => {
  const polling = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const api = await startStandIn((_, response) => {
    json(response, { items: [], nextPageToken: null });
    // The first page is read immediately, the second when the command can be interrupted; they keep
    // the connection.
    if (api.requests.length < 2) return;
    polling.resolve();
    response.socket?.once("close", () => ended.resolve());
  });
  const home = newHome();
  const launcher = spawn(
    process.execPath,
    ["--no-strip-types", join(folder, "wharf.mjs"), "executions", "tail", "a", "--interval", "1"],
    {
      env: {
        PATH: process.env.PATH,
        HOME: home,
        XDG_CONFIG_HOME: home,
        WHARF_URL: api.url,
        WHARF_TENANT: "demo",
        WHARF_TOKEN: "token",
      },
      cwd: home,
      detached: true,
      stdio: "ignore",
    },
  );
  const { pid = 0 } = launcher;
  onTestFinished(async () => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // All of them have ended.
    }
    await api.close();
  });
  const exit = once(launcher, "exit");
  await Promise.race([polling.promise, exit]);
  return { pid, exit, childEnded: ended.promise };
};

describe("a signal", () => {
  test.each(["SIGHUP", "SIGINT", "SIGTERM"] as const)(
    "%s to the launcher ends the installed Node, too",
    { tags: "nightly" },
    async (signal) => {
      const { pid, exit, childEnded } = await startTail();
      process.kill(pid, signal);
      await childEnded;
      expect(await exit).toEqual(signal === "SIGHUP" ? [null, signal] : [0, null]);
    },
  );

  test("of the terminal, which goes to both, is one", { tags: "nightly" }, async () => {
    const { pid, exit, childEnded } = await startTail();
    process.kill(-pid, "SIGINT");
    await childEnded;
    expect(await exit).toEqual([0, null]);
  });

  test("that kills the launcher ends the installed Node, too", { tags: "nightly" }, async () => {
    const { pid, childEnded } = await startTail();
    process.kill(pid, "SIGKILL");
    await childEnded;
  });
});
