import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../lib/platform/db/database.ts";
import { agentKey } from "../../lib/platform/db/keys.ts";
import { listAll } from "../../lib/platform/db/list-page.ts";
import { tableAttributes } from "../../lib/platform/db/table.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";

/** An agent of a tenant. */
export type FoundAgent = { tenantId: TenantId; agentId: string };

const AgentKey = z.object({ pk: z.string(), sk: z.string() });
const prefixOfAgents = "AGENT#";

/** TENANT#t / AGENT#…: lists the agents of a tenant. */
export async function* listAgentsOf(db: Database, tenantId: TenantId): AsyncGenerator<FoundAgent> {
  const list = { pk: agentKey(tenantId, "").pk, prefix: prefixOfAgents };
  for await (const { sk } of listAll(db, AgentKey, list, { members: ["pk", "sk"] })) {
    yield { tenantId, agentId: sk.slice(prefixOfAgents.length) };
  }
}

/**
 * Lists the agents of all tenants. Scans the listing index, which has only keys; for operators alone, no function
 * is permitted to.
 */
export async function* listAllAgents(db: Database): AsyncGenerator<FoundAgent> {
  let after: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await db.client.send(
      new ScanCommand({
        TableName: db.table,
        IndexName: tableAttributes.index,
        FilterExpression: "begins_with(#sk, :agents)",
        ExpressionAttributeNames: { "#sk": tableAttributes.indexSortKey },
        ExpressionAttributeValues: { ":agents": prefixOfAgents },
        ExclusiveStartKey: after,
      }),
    );
    for (const item of Items) {
      const { pk, sk } = AgentKey.parse(item);
      const [kind, id, ...more] = pk.split("#");
      const tenantId = TenantId.safeParse(id);
      if (kind !== "TENANT" || more.length > 0 || !tenantId.success) continue;
      yield { tenantId: tenantId.data, agentId: sk.slice(prefixOfAgents.length) };
    }
    after = LastEvaluatedKey;
  } while (after);
}
