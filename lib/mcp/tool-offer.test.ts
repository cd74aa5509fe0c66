import { expect, test } from "vitest";
import { testProcessor } from "../../test/harness/processor.ts";
import { createToolRegistry } from "../engine/tools/registry.ts";
import { offerTool } from "./tool-offer.ts";

test("the calls of one MCP request share one processor budget", { tags: "nightly" }, async () => {
  const tool = createToolRegistry().resolve("system", "json_query");
  if (!tool) throw new Error("no json_query");
  const processor = testProcessor(200);
  const offer = offerTool(tool, {
    clock: Date.now,
    processor,
    principal: { type: "User", id: "ada", scopes: [] },
  });
  const { signal } = new AbortController();
  const call = (query: string) => offer.call({ json: "{}", query }, { signal, takesTasks: false });
  const slow = await call("$contains($pad('', 40, 'a') & 'b', /^(a+)+$/)");
  expect(slow).toMatchObject({ ok: false });
  expect(processor.remainingMs).toBeLessThanOrEqual(0);
  expect(await call("1 + 1")).toMatchObject({ ok: false });
});
