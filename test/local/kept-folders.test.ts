import { readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findOrMake } from "../../infra/local/prepare/kept-folders.ts";
import { removeFolders, temporaryFolder } from "./fixture-stack.ts";

afterAll(removeFolders);

const maker = () => {
  const made: string[] = [];
  const make = async (directory: string): Promise<void> => {
    made.push(directory);
    await new Promise(setImmediate);
    writeFileSync(join(directory, "file"), "");
  };
  return { made, make };
};

test("a folder that many request concurrently is made once, and all get it complete", async () => {
  const root = temporaryFolder();
  const { made, make } = maker();
  const ask = async () => readdirSync(await findOrMake({ root, kind: "build", hash: "a" }, make));
  const found = await Promise.all([ask(), ask(), ask()]);
  expect(made).toEqual([join(root, "build-a")]);
  expect(found).toEqual(Array(3).fill(expect.arrayContaining(["done", "file"])));
});

test("a folder is made again from scratch after making it failed or was interrupted", async () => {
  const root = temporaryFolder();
  const { made, make } = maker();
  const folder = { root, kind: "build", hash: "a" };
  const failing = findOrMake(folder, async (directory) => {
    writeFileSync(join(directory, "half"), "");
    throw new Error("out of memory");
  });
  await expect(failing).rejects.toThrow("out of memory");
  const entries = readdirSync(await findOrMake(folder, make));
  expect(made).toHaveLength(1);
  expect(entries).not.toContain("half");
});

test("folders that are not in use are removed, but for those used last; those of another kind stay", async () => {
  const root = temporaryFolder();
  const { make } = maker();
  await findOrMake({ root, kind: "stack", hash: "a" }, make);
  for (const [index, hash] of ["a", "b", "c", "d", "e", "f"].entries()) {
    const path = await findOrMake({ root, kind: "build", hash }, make);
    // All but `a` belong to a process that has ended.
    if (hash !== "a") rmSync(join(path, `used-by-${process.pid}`));
    utimesSync(path, index, index);
  }
  const left = readdirSync(root).filter((name) => !name.endsWith(".lock"));
  expect(left.sort()).toEqual(["build-a", "build-c", "build-d", "build-e", "build-f", "stack-a"]);
});
