import type { ModelMessage } from "../../lib/engine/models/model.ts";
import { toSessionPlace } from "../../lib/executions/session/keys.ts";
import { listSessionMessages } from "../../lib/executions/session/load-session.ts";
import { type Respond, testExecutions } from "./execution.ts";
import type { TestDatabase } from "./table.ts";

/** A Prompt of the model `test/m`. */
export const prompt = (id: string, text: string, more: object = {}) => ({
  id,
  type: "Prompt",
  llm: { providerId: "test" },
  prompt: text,
  ...more,
});

/** A revision with sessions and a Prompt `ask` that sends the input `message`. */
export const chat = (more: object = {}) => ({
  parametersMetadata: [{ name: "message", type: "String" }],
  flow: { steps: [prompt("ask", "{% input.message %}")], edges: [] },
  useSession: true,
  ...more,
});

/** Formats a message of a conversation as one line. */
export const toLine = (message: ModelMessage): string => {
  if (message.role === "tool") {
    return `tool: ${message.results.map(({ name, output }) => `${name}=${JSON.stringify(output)}`).join(", ")}`;
  }
  if (message.role === "user") return `user: ${message.text}`;
  const calls = message.toolCalls.map(
    ({ name, arguments: given }) => `${name}(${JSON.stringify(given)})`,
  );
  return `assistant: ${[message.text, ...calls].filter(Boolean).join(" ")}`;
};

/** Creates a tenant with the agent `a` and its session `s`. `seen`: the messages of each call of its model. */
export const startSession = async (
  db: TestDatabase,
  content: object = chat(),
  respond: Respond = (text) => `${text}!`,
) => {
  const seen: string[][] = [];
  const world = testExecutions(db, (text, request) => {
    seen.push(request.messages.map(toLine));
    return respond(text, request);
  });
  await world.deploy("a", content);
  const place = toSessionPlace(world.tenantId, "a", "s");
  return {
    ...world,
    seen,
    place,
    runTurn: (message: string, session: object | null = { id: "s" }, waitMs?: number) =>
      world
        .execute("a", { input: { message }, ...(session && { session }) }, waitMs)
        .then(({ execution }) => execution),
    /** The messages of the session `s`, as lines. */
    lines: async () => {
      const now = world.tenant.ctx.clock();
      const { messages } = await listSessionMessages(world.tenant.deps, { place, now });
      return messages.map(({ message }) => toLine(message));
    },
  };
};
