import { unwrapBody } from "../../../../client/client.ts";
import type { DemoContext } from "./demo.ts";
import type { Revision } from "./revisions.ts";

const buildRevision = (words: string, providerId: string, model: string): Revision => ({
  parametersMetadata: [{ name: "ticket", type: "String", required: true }],
  llmConfigs: [{ providerId, parameters: { model } }],
  flow: {
    steps: [
      { id: "read", type: "Prompt", prompt: "{% input.ticket %}" },
      { id: "team", type: "Output", value: { team: `{% ${words} ? 'billing' : 'support' %}` } },
    ],
    edges: [{ source: "read", target: "team" }],
  },
});

const has = (word: string): string => `$contains($lowercase(input.ticket), '${word}')`;

const revisions = [
  buildRevision(has("invoice"), "openai", "gpt-5-mini"),
  buildRevision(`${has("refund")} or ${has("wrong")}`, "openai", "gpt-5-mini"),
  buildRevision(
    `${has("refund")} or (${has("invoice")} and $not(${has("pdf")}))`,
    "anthropic",
    "claude-sonnet-4-5",
  ),
];

/**
 * Creates scorers, and an agent with revisions that an experiment compares on the dataset of
 * tickets.
 */
export const createEvaluation = async ({ client, path }: DemoContext) => {
  const agent = { path: { ...path, agent: "ticket-desk" } };
  await client.POST("/v1/tenants/{tenant}/agents", {
    params: { path },
    body: { id: "ticket-desk", displayName: "Ticket desk" },
  });
  for (const body of revisions) {
    await client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions", { params: agent, body });
  }
  await client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}:deploy", {
    params: { path: { ...agent.path, revision: 1 } },
  });
  const scorers = [
    { id: "routed", displayName: "Right team", type: "Exact", path: "/team" },
    {
      id: "cheap",
      displayName: "Cheap",
      type: "Expression",
      value: "cost.totalCost < 0.005 ? 1 : 0.4",
    },
    {
      id: "polite",
      displayName: "Polite",
      type: "Judge",
      llm: { providerId: "openai", parameters: { model: "gpt-5-mini" } },
      rubric: "Is the answer polite, and does it say the same as the expected one?",
    },
  ] as const;
  for (const body of scorers) {
    await client.POST("/v1/tenants/{tenant}/scorers", { params: { path }, body });
  }
  await client.PUT("/v1/tenants/{tenant}/agents/{agent}/online-evaluation", {
    params: { path: { ...path, agent: "support" } },
    body: { scorers: ["polite", "cheap"], sampleRate: 0.1, monthlyLimit: 1_000 },
  });
  const start = (displayName: string, chosen: number[]) =>
    unwrapBody(
      client.POST("/v1/tenants/{tenant}/experiments", {
        params: { path },
        body: {
          displayName,
          datasetId: "tickets",
          agentId: "ticket-desk",
          revisions: chosen,
          scorers: ["routed", "cheap"],
          concurrency: 10,
        },
      }),
    );
  const { id: experiment } = await start("More words for the team billing", [1, 2, 3]);
  const read = () =>
    unwrapBody(
      client.GET("/v1/tenants/{tenant}/experiments/{experiment}", {
        params: { path: { ...path, experiment } },
      }),
    );
  while ((await read()).endedAt === null) await new Promise((resolve) => setTimeout(resolve, 250));
  return { experiment };
};
