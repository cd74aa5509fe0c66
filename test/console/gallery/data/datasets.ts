import type { DemoContext } from "./demo.ts";

const examples = [
  { ticket: "My invoice is wrong", team: "billing", split: "test" },
  { ticket: "The invoice PDF does not open on my phone", team: "support", split: "test" },
  { ticket: "I cannot log in", team: "support", split: "test" },
  { ticket: "Please refund my order", team: "billing", split: "test" },
  { ticket: "The app crashes when I open a second window", team: "support", split: "train" },
  { ticket: "Refund for October", team: "billing", split: "train" },
  { ticket: "Where is my invoice?", team: "billing", split: "train" },
];

/** Creates datasets, one of them without examples, and scores an execution. */
export const createDatasets = async (
  { client, path }: DemoContext,
  { succeeded }: { succeeded: string },
): Promise<void> => {
  const create = (body: { id: string; displayName: string; description?: string }) =>
    client.POST("/v1/tenants/{tenant}/datasets", { params: { path }, body });
  await create({
    id: "tickets",
    displayName: "Tickets",
    description: "Tickets of the last weeks, with the team that solved them.",
  });
  await create({ id: "new", displayName: "New cases of the legal department" });
  for (const half of [examples.slice(0, 5), examples.slice(5)]) {
    const items = half.map(({ ticket, team, split }) => ({
      input: { ticket },
      expected: { team },
      metadata: { source: "helpdesk" },
      split,
    }));
    await client.POST("/v1/tenants/{tenant}/datasets/{dataset}/examples", {
      params: { path: { ...path, dataset: "tickets" } },
      body: { items },
    });
  }
  const scores = [
    { name: "thumbs", value: true },
    { name: "correct", value: 0.75, comment: "The second question is not answered." },
    { name: "tone", value: "friendly" },
  ];
  for (const body of scores) {
    await client.POST(
      "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}/scores",
      { params: { path: { ...path, agent: "support", executionRecord: succeeded } }, body },
    );
  }
};
