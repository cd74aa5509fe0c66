import { beforeAll, expect, test } from "vitest";
import { toolsWith } from "../../../test/harness/flow.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import type { NewFile } from "../../engine/tools/save-content.ts";
import type { Json } from "../../values/json/json.ts";
import { runTool, type ToolFiles } from "./run-tool.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const tools = toolsWith(async (_parameters, { saveFile }): Promise<Json> => {
  if (!saveFile) return { base64: "AAAA" };
  const saved = await saveFile({
    name: "a.png",
    mediaType: "image/png",
    content: Buffer.from("a"),
  });
  return { ...saved };
});

const runWith = (files?: ToolFiles, resultSelect?: string) => {
  const { ctx, deps } = testTenant(db);
  const loadTools = async () => new Map();
  return runTool(
    { builtIn: tools, loadTools, storage: deps },
    {
      ctx: { ...ctx, respondBy: Number.MAX_SAFE_INTEGER },
      integrationId: "test",
      toolId: "tool",
      body: { ...(resultSelect !== undefined && { resultSelect }) },
      files,
    },
  );
};

const files: ToolFiles = {
  save: async ({ name, mediaType, content }: NewFile) => ({
    id: "f1",
    name,
    mediaType,
    bytes: content.length,
  }),
  link: ({ id }) => `/files/${id}/content`,
};

test("returns the reference of a file and its link", async () => {
  expect(await runWith(files)).toMatchObject({
    jsonValue: { id: "f1", name: "a.png", mediaType: "image/png", bytes: 1 },
    fileLink: "/files/f1/content",
  });
});

test("returns the link whatever part of the result is selected", async () => {
  expect(await runWith(files, "name")).toMatchObject({
    response: "a.png",
    fileLink: "/files/f1/content",
  });
});

test("returns the content without a store of files", async () => {
  expect(await runWith()).toMatchObject({ jsonValue: { base64: "AAAA" }, fileLink: null });
});
