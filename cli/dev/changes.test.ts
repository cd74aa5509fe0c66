import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changesIn } from "./changes.ts";

let folder: string;
let stopping: AbortController;
let changes: AsyncGenerator<void>;

beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), "wharf-dev-")), "agents");
  mkdirSync(folder);
  stopping = new AbortController();
  changes = await changesIn(folder, stopping.signal);
});
afterEach(async () => {
  stopping.abort();
  expect((await changes.next()).done).toBe(true);
  rmSync(join(folder, ".."), { recursive: true });
});

/** Waits for the next change, which the action made. */
const seen = async (act: () => void): Promise<void> => {
  const next = changes.next();
  act();
  expect((await next).done).toBe(false);
};
/** Saves a file as editors do: a new file takes its place. */
const save = (name: string, text: string): void => {
  writeFileSync(join(folder, "4913~"), text);
  renameSync(join(folder, "4913~"), join(folder, name));
};

test("every save is seen, whether a file is replaced or written in place", {
  tags: "nightly",
}, async () => {
  for (let nth = 0; nth < 4; nth += 1) await seen(() => save("a.agent.yaml", `x: ${nth}`));
  await seen(() => writeFileSync(join(folder, "a.agent.yaml"), "in place"));
  await seen(() => save("a.agent.yaml", "replaced"));
});

test("files that are deleted, renamed and created again are seen, and new skills with their later saves", {
  tags: "nightly",
}, async () => {
  await seen(() => save("a.agent.yaml", "x: 1"));
  await seen(() => rmSync(join(folder, "a.agent.yaml")));
  await seen(() => save("a.agent.yaml", "x: 2"));
  await seen(() => renameSync(join(folder, "a.agent.yaml"), join(folder, "b.agent.yaml")));
  for (let round = 0; round < 2; round += 1) {
    await seen(() => mkdirSync(join(folder, "skills/manners"), { recursive: true }));
    for (let nth = 0; nth < 3; nth += 1)
      await seen(() => save("skills/manners/SKILL.md", `${nth}`));
    await seen(() => rmSync(join(folder, "skills"), { recursive: true }));
  }
});

test("a folder that was deleted and created again is watched again", {
  tags: "nightly",
}, async () => {
  for (let round = 0; round < 2; round += 1) {
    await seen(() => rmSync(folder, { recursive: true }));
    await seen(() => mkdirSync(folder));
    await seen(() => save("a.agent.yaml", `${round}`));
    await seen(() => save("a.agent.yaml", `${round} again`));
  }
});
