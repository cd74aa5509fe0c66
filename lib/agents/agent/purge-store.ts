import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { PackedValue } from "../../platform/db/large-value.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { agentChildrenList, executionChildrenList } from "../keys.ts";

/** The key of an item that belongs to an agent, and its values in the bucket. */
const Child = z
  .object({
    pk: z.string(),
    sk: z.string(),
    content: PackedValue.optional(),
    input: PackedValue.optional(),
    output: PackedValue.optional(),
    trace: PackedValue.optional(),
    outcome: PackedValue.optional(),
    assetId: z.string().optional(),
  })
  .transform(({ pk, sk, content, input, output, trace, outcome, assetId }) => ({
    pk,
    sk,
    /** Id of the asset that the item references. */
    assetId,
    objects: [content, input, output, trace, outcome].flatMap((value) =>
      value && "object" in value ? [value.object] : [],
    ),
  }));
export type AgentChild = z.output<typeof Child>;

/** Returns the id of the execution that an item records; undefined for other items. */
export const executionIdOf = ({ sk }: AgentChild): string | undefined =>
  /^EXEC#(.+)$/.exec(sk)?.[1];

/** TENANT#t#AGENT#a: lists all items of an agent. */
export const listAgentChildren = (db: Database, tenantId: TenantId, agentId: string) =>
  listAll(db, Child, agentChildrenList(tenantId, agentId));

/** TENANT#t#EXEC#id: lists all items of an execution. */
export const listExecutionChildren = (db: Database, tenantId: TenantId, executionId: string) =>
  listAll(db, Child, executionChildrenList(tenantId, executionId));
