import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderCliPage } from "../../infra/commands/cli-docs.ts";

test("docs/cli.md describes the commands as they are: run `npm run cli-docs`", () => {
  const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
  expect(page).toBe(renderCliPage(page));
});
