import { expect, vi } from "vitest";
import * as z from "zod";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";

const Page = z.object({ items: z.array(z.object({ id: z.string() })) });

/** Creates the memory that a row's path names, of an agent that keeps its prompts. */
export const prepareMemory = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<Record<string, string>> => {
  if (!row.path.includes("{memory}")) return {};
  const agent = "keeper";
  const memory = { namespace: "user-42" };
  await own.deployAgent(agent, {
    llmConfigs: [{ providerId: "echo", parameters: {} }],
    flow: { steps: [{ id: "ask", type: "Prompt", prompt: "I drink tea.", memory }], edges: [] },
  });
  await own.send("POST", `/agents/${agent}:execute`, { input: {} });
  return vi.waitFor(
    async () => {
      const { body } = await own.send("GET", `/agents/${agent}/memories?namespace=user-42`);
      const [kept] = Page.parse(body).items;
      expect(kept).toBeDefined();
      return { agent, memory: kept?.id ?? "" };
    },
    { timeout: 20_000, interval: 200 },
  );
};
