import { vectorStore } from "../../lib/knowledge/index/vector-store.ts";
import { deleteMemory } from "../../lib/memory/delete-memory.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteMemory, async ({ db, ctx, params }) => {
  const { agent: agentId, memory: memoryId } = params;
  await deleteMemory(
    { db, vectors: vectorStore(), send },
    { tenantId: ctx.tenant.id, agentId, memoryId },
  );
  return undefined;
});
