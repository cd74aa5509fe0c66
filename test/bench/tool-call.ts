import { openapiIntegration } from "../../lib/engine/tools/openapi/index.ts";
import { createToolRegistry } from "../../lib/engine/tools/registry.ts";
import type { Tool } from "../../lib/engine/tools/tool.ts";
import { testProcessor } from "../harness/processor.ts";
import { startToolApi } from "../harness/tool-api.ts";
import type { Topic } from "./bench.ts";
import { interleave } from "./interleave.ts";
import { median } from "./statistics.ts";

const processor = testProcessor();

const document = JSON.stringify({
  openapi: "3.1.0",
  paths: {
    "/pets/{id}": {
      post: {
        operationId: "changePet",
        parameters: [{ name: "tags", in: "query", schema: { type: "array", items: {} } }],
        requestBody: {
          content: {
            "application/json": {
              schema: { type: "object", properties: { age: { type: "integer" } } },
            },
          },
        },
      },
    },
  },
});
const outgoing = { allowPrivateAddresses: true };
const signal = new AbortController().signal;

/** Time of a tool call in this process, compared to a plain fetch of the same server. */
export const toolCall: Topic = async ({ short }) => {
  const api = await startToolApi();
  try {
    const call = (tool: Tool | undefined, parameters: Record<string, string>) => {
      if (!tool) throw new Error("a tool is missing");
      return () => tool.run(parameters, { clock: Date.now, signal, processor });
    };
    const registry = createToolRegistry(outgoing);
    const config = { parameters: { document, baseUrl: api.url }, auth: {} };
    const load = () =>
      openapiIntegration.tools(config, { outgoing, clock: Date.now, signal, processor });
    const [operation] = await load();
    const works: Readonly<Record<string, () => Promise<unknown>>> = {
      "system calculate": call(registry.resolve("system", "calculate"), { expression: "1 + 2" }),
      "system http_get": call(registry.resolve("system", "http_get"), { url: api.url }),
      "openapi operation": call(operation, { id: "1", tags: "a,b", age: "3" }),
      "plain fetch": async () => (await fetch(api.url)).json(),
      "openapi tools of a known document": load,
    };
    const times = new Map<string, number[]>(Object.keys(works).map((name) => [name, []]));
    await interleave(
      Object.entries(works).map(([name, work]) => async () => {
        const startedAt = performance.now();
        await work();
        times.get(name)?.push((performance.now() - startedAt) * 1_000);
        api.requests.length = 0;
      }),
      { turns: 500, seconds: short ? 0.5 : 3 },
    );
    return {
      title: "tool-call: sequential calls, the server in the same process",
      columns: ["call", "µs"],
      rows: [...times].map(([name, samples]) => [name, median(samples)]),
    };
  } finally {
    await api.close();
  }
};
