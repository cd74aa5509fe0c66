import type * as z from "zod";
import type { purgeDeleted } from "../../functions/workers/messages.ts";
import { purge } from "../../functions/workers/purge-deleted.ts";
import { createModelRegistry } from "../../lib/engine/models/registry.ts";
import type { RememberExecutionMessage } from "../../lib/executions/messages.ts";
import { listMemories } from "../../lib/memory/list-memories.ts";
import { type RememberDeps, rememberExecution } from "../../lib/memory/remember-execution.ts";
import { type Respond, testExecutions } from "./execution.ts";
import type { TestDatabase } from "./table.ts";

/** Creates a tenant with agents that remember. `respond`: of the model `test/m`, for Prompts and for facts. */
export const testMemories = (db: TestDatabase, respond: Respond) => {
  const world = testExecutions(db, respond);
  const { tenant, tenantId } = world;
  const { ctx } = tenant;
  const modelsFor: RememberDeps["modelsFor"] = (of) => ({
    resolve: async (id) =>
      (await world.deps.modelsFor(of).resolve(id)) ?? createModelRegistry().resolve(id),
  });
  const asked: RememberExecutionMessage[] = [];
  const housekeeping: z.output<typeof purgeDeleted.message>[] = [];
  const deps: RememberDeps = {
    ...world.deps,
    vectors: tenant.deps.vectors,
    modelsFor,
    send: async (queue, group, message) => {
      if (queue === "evaluations") asked.push(message as RememberExecutionMessage);
      else if (queue === "housekeeping") housekeeping.push(message as never);
      else await world.deps.send(queue, group, message);
    },
  };
  const remember = (message: RememberExecutionMessage, withDeps = deps, attempt = 1) =>
    rememberExecution(withDeps, { message, deadline: ctx.clock() + 900_000, attempt });
  return {
    ...world,
    deps,
    /** Messages that ask for turns to be remembered. */
    asked,
    housekeeping,
    remember,
    /** Deploys an agent with one Prompt; its namespace is the input `user`. */
    deployWith: (agentId: string, memory: object, more: object = {}) =>
      world.deploy(agentId, {
        parametersMetadata: [
          { name: "user", type: "String" },
          { name: "said", type: "String" },
          { name: "secret", type: "String", secret: true },
        ],
        llmConfigs: [{ providerId: "test", parameters: {} }],
        flow: {
          steps: [
            {
              id: "ask",
              type: "Prompt",
              prompt: "{% input.said %}",
              memory: { namespace: "{% input.user %}", ...memory },
              ...more,
            },
          ],
          edges: [],
        },
      }),
    /** Runs an agent for a user, and remembers the turn. */
    runTurn: async (agentId: string, user: string | null, said: string) => {
      tenant.advance(1);
      const input = { said, ...(user !== null && { user }) };
      const result = await world.executeToEnd(agentId, { input }, deps);
      for (const message of asked.splice(0)) await remember(message);
      return result;
    },
    list: async (agentId: string, namespace: string, size = 50) =>
      (
        await listMemories(
          db,
          { tenantId, agentId, namespace, now: ctx.clock() },
          { size, skip: 0 },
        )
      ).items,
    texts: async (agentId: string, namespace: string) =>
      (
        await listMemories(
          db,
          { tenantId, agentId, namespace, now: ctx.clock() },
          { size: 50, skip: 0 },
        )
      ).items.map(({ text }) => text),
    /** Number of vectors of the tenant. */
    countVectors: () =>
      tenant.deps.vectors.all
        .values()
        .reduce((sum, index) => sum + index.list("", 10_000, { values: false }).length, 0),
    /** Number of the tenant's items that are facts. */
    countItems: async () =>
      (await db.scan()).filter(
        ({ pk, sk }) => String(pk).includes(tenantId) && String(sk).startsWith("MEMORY#"),
      ).length,
    /** Processes the messages of the queue for housekeeping. */
    clean: async () => {
      for (const message of housekeeping.splice(0)) {
        if (message.type === "purge-connections") continue;
        await purge(message, {
          ...deps,
          clock: ctx.clock,
          until: ctx.clock() + 60_000,
          objects: tenant.deps.objects,
        });
      }
    },
  };
};
