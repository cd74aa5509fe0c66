import * as z from "zod";
import {
  type ExecutionKey,
  executionChildrenList,
  executionItemsLists,
  executionPartsLists,
  executionsLists,
} from "../../executions/keys.ts";
import type { Database } from "../../platform/db/database.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { agentChildrenList } from "./keys.ts";

/** Other items may have members of these names that are not values. */
const Value = z.object({ object: z.string().optional() }).optional().catch(undefined);

/** The key of an item that belongs to an agent, and its values in the bucket. */
const Child = z
  .object({
    pk: z.string(),
    sk: z.string(),
    content: Value,
    input: Value,
    result: Value,
    value: Value,
    output: Value,
    trace: Value,
    outcome: Value,
    assetId: z.string().optional(),
  })
  .transform(({ pk, sk, assetId, ...values }) => ({
    pk,
    sk,
    /** Id of the asset that the item references. */
    assetId,
    objects: Object.values(values).flatMap((value) => value?.object ?? []),
  }));
export type AgentChild = z.output<typeof Child>;

/** Returns the id of the execution that an item records; undefined for other items. */
export const parseExecutionId = ({ sk }: AgentChild): string | undefined =>
  /^EXEC#(.+)$/.exec(sk)?.[1];

/** TENANT#t#AGENT#a, TENANT#t#AGENT#a#EXEC#n: lists all items of an agent, and then the records of its executions. */
export async function* listAgentChildren(
  db: Database,
  tenantId: TenantId,
  agentId: string,
): AsyncGenerator<AgentChild> {
  yield* listAll(db, Child, agentChildrenList(tenantId, agentId));
  for (const list of executionsLists(tenantId, agentId)) yield* listAll(db, Child, list);
}

/** TENANT#t#EXEC#id: lists all items of an execution. */
export const listExecutionChildren = (db: Database, tenantId: TenantId, executionId: string) =>
  listAll(db, Child, executionChildrenList(tenantId, executionId));

/** TENANT#t#AGENT#a#PARTS#…: lists the values of an agent's executions that are not in their records. */
export async function* listExecutionParts(
  db: Database,
  tenantId: TenantId,
  agentId: string,
): AsyncGenerator<AgentChild> {
  for (const list of executionPartsLists(tenantId, agentId)) yield* listAll(db, Child, list);
}

/** Lists all items of one execution: its steps, its values, and its record. */
export async function* listExecution(
  db: Database,
  place: ExecutionKey,
): AsyncGenerator<AgentChild> {
  yield* listExecutionChildren(db, place.tenantId, place.executionId);
  for (const list of executionItemsLists(place)) {
    yield* listAll(db, Child, list);
  }
}
