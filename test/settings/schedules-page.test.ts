import { expect, test } from "vitest";
import { readPages } from "../docs/read-page.ts";
import { runPage } from "../docs/run-page.ts";

test("docs/schedules.md, on a stack without other schedules, because it fires those of all tenants", {
  tags: "nightly",
}, async () => {
  const page = (await readPages()).find(({ name }) => name === "docs/schedules.md");
  if (!page) throw new Error("there is no such page");
  expect(page.blocks.length).toBeGreaterThan(0);
  await runPage(page);
});
