import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { startModelServer } from "../harness/model-server.ts";
import { modelsPage, renderModels } from "../harness/render-models.ts";

test("the tables of docs/models.md are those of the tests (npm run models)", async () => {
  const server = await startModelServer();
  const page = await readFile(modelsPage, "utf8");
  expect(await renderModels(page, server)).toBe(page);
  await server.close();
});
