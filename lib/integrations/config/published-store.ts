import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { publishedConfigsList } from "../keys.ts";

/** Marks a config as published, as stored. */
export const PublishedConfigItem = z.object({ configId: z.string() });
export type PublishedConfigItem = z.output<typeof PublishedConfigItem>;

/** TENANT#t / PUBLISHED#integration#…: returns the oldest published config of an integration, if any. */
export const findPublishedConfig = async (
  db: Database,
  tenantId: TenantId,
  integrationId: string,
): Promise<string | undefined> => {
  const { pk, prefix } = publishedConfigsList(tenantId, integrationId);
  const { Items } = await db.client.send(
    new QueryCommand({
      TableName: db.table,
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
      ExpressionAttributeValues: { ":pk": pk, ":prefix": prefix },
      ConsistentRead: true,
      Limit: 1,
    }),
  );
  return Items?.[0] && PublishedConfigItem.parse(Items[0]).configId;
};
