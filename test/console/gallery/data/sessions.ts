import { unwrapBody } from "../../../../client/client.ts";
import type { ModelServer } from "../../../harness/model-server.ts";
import type { DemoContext } from "./demo.ts";
import type { Revision } from "./revisions.ts";

const message = { name: "message", type: "String", required: true } as const;

/** An agent that is talked to, and looks up the time. */
const conciergeRevision: Revision = {
  comment: "Remembers the conversation",
  parametersMetadata: [
    message,
    { name: "language", type: "Option", required: false, options: ["de", "en", "fr"] },
  ],
  llmConfigs: [{ providerId: "openai", parameters: { model: "gpt-5-mini" } }],
  flow: {
    steps: [
      {
        id: "reply",
        type: "Prompt",
        prompt: "{% input.message %}",
        system: "You are the concierge of a small hotel.",
        tools: ["calculate"],
      },
    ],
    edges: [],
  },
  useSession: true,
  sessionPolicy: { maxTurns: 20, onOverflow: "summarize", retentionDays: 90 },
};

/** An agent that remembers facts about users. */
const hostRevision: Revision = {
  comment: "Remembers what guests like",
  parametersMetadata: [{ name: "guest", type: "String", required: true }, message],
  llmConfigs: [{ providerId: "echo", parameters: {} }],
  flow: {
    steps: [
      {
        id: "reply",
        type: "Prompt",
        prompt: "{% input.message %}",
        memory: { namespace: "{% input.guest %}", topK: 8 },
      },
    ],
    edges: [],
  },
};

const usage = { inputTokens: 940, outputTokens: 88, cachedTokens: 0, thinkingTokens: 0 };

const conversation: readonly { said: string; reply: string; expression?: string }[] = [
  {
    said: "We are four people and stay for three nights. What is the breakfast in total?",
    expression: "4 * 3 * 18.5",
    reply:
      "Breakfast for four people and three nights is 222 euros.\n\n- 18.50 euros for each person and morning\n- Children below six years pay nothing\n\nShall I add it to your booking?",
  },
  { said: "Yes please.", reply: "It is added. You find it on the invoice of your booking." },
  {
    said: "And a table for dinner on Friday?",
    reply: "Friday at 19:30 is free, on the terrace or inside. Which one do you prefer?",
  },
];

const smallTalk = ["Is there a lift?", "May we bring a dog?", "When is the check-out?"];

/** Creates agents with sessions and memories, and talks to them. Returns names. */
export const createSessions = async (context: DemoContext, models: ModelServer) => {
  await createAgent(context, { id: "concierge", displayName: "Concierge" }, conciergeRevision);
  await createAgent(context, { id: "host", displayName: "Host" }, hostRevision);
  const runTurn = (session: string, text: string, endUserId?: string) =>
    execute(context, "concierge", {
      input: { message: text },
      session: { id: session, ...(endUserId !== undefined && { endUserId }) },
    });
  for (const user of ["grace", "katherine"]) {
    for (const text of smallTalk) await runTurn(`web-${user}`, text, user);
  }
  const session = "booking-A-1042";
  for (let at = 0; at < 9; at += 1)
    await runTurn(session, smallTalk[at % 3] ?? "", "ada@acme.example");
  for (const { said, reply, expression } of conversation) {
    if (expression !== undefined) {
      const call = { id: "call-1", name: "calculate", arguments: { expression } };
      models.script({ text: "", toolCalls: [call], usage });
    }
    models.script({ text: reply, usage });
    await runTurn(session, said);
  }
  for (const text of [
    "I drink green tea.",
    "I need a room without carpet, because of an allergy.",
  ]) {
    await execute(context, "host", { input: { guest: "ada", message: text } });
  }
  const { client, path } = context;
  for (;;) {
    const { items } = await unwrapBody(
      client.GET("/v1/tenants/{tenant}/agents/{agent}/memories", {
        params: { path: { ...path, agent: "host" }, query: { namespace: "ada" } },
      }),
    );
    if (items.length > 1) return { session };
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};

const createAgent = async (
  { client, path }: DemoContext,
  agent: { id: string; displayName: string },
  body: Revision,
): Promise<void> => {
  const agentPath = { ...path, agent: agent.id };
  await client.POST("/v1/tenants/{tenant}/agents", { params: { path }, body: agent });
  await client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions", {
    params: { path: agentPath },
    body,
  });
  await client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}:deploy", {
    params: { path: { ...agentPath, revision: 1 } },
  });
};

const execute = (
  { client, path }: DemoContext,
  agent: string,
  body: { input: Record<string, unknown>; session?: { id: string; endUserId?: string } },
) =>
  unwrapBody(
    client.POST("/v1/tenants/{tenant}/agents/{agent}:execute", {
      params: { path: { ...path, agent } },
      body,
    }),
  );
