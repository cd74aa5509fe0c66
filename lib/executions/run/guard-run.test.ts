import { expect, test } from "vitest";
import { createToolRegistry } from "../../engine/tools/registry.ts";
import { ToolError } from "../../engine/tools/tool.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { ServiceBusyError } from "../../platform/runtime/aws-retry.ts";
import { guardRegistries } from "./run-context.ts";

const tenantId = TenantId.parse("0193f0a0-7c4b-7000-8000-000000000000");
const start = (error: Error) => {
  const handOver = new AbortController();
  const fail = () => Promise.reject(error);
  const tools = createToolRegistry();
  const registries = guardRegistries(
    {
      modelsFor: () => ({ resolve: fail }),
      toolsFor: () => ({ ...tools, load: fail }),
      skillsFor: () => ({ resolve: fail }),
      knowledgeFor: () => ({ search: fail, read: fail }),
    },
    { tenantId, context: { handOver } },
  );
  const { signal } = handOver;
  const query = { assetIds: [], query: "", topK: 1, filter: {}, signal };
  const calls: Record<string, () => unknown> = {
    provider: () => registries.models.resolve("p"),
    skill: () => registries.skills.resolve("s"),
    assets: () => registries.knowledge.search(query),
    resource: () =>
      registries.knowledge.read({ assetId: "a", document: undefined, offset: 0, maxLength: 1 }),
  };
  return { signal, calls };
};

test.each(["provider", "skill", "assets", "resource"])(
  "a run is handed over when storage is busy while a step reads its %s",
  async (name) => {
    const { signal, calls } = start(new ServiceBusyError("busy"));
    await expect(calls[name]?.()).rejects.toThrow("busy");
    expect(signal.aborted).toBe(true);
  },
);

test("a run is not handed over when a step cannot use what it names", async () => {
  const { signal, calls } = start(new ToolError("no such filter"));
  await expect(calls.assets?.()).rejects.toThrow("no such filter");
  expect(signal.aborted).toBe(false);
});
