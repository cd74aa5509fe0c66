import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { isUuid } from "../../lib/platform/http/ids.ts";
import { tenantAliasKey, tenantKey } from "../../lib/tenancy/tenant/keys.ts";
import type { Subject } from "./classify.ts";
import type { Installation } from "./installation.ts";
import { queryItems } from "./table-items.ts";

type Table = Pick<Installation, "dynamodb" | "table">;

/** The names of a tenant. */
export type TenantNames = { id: string; slug: string; organizationId: string };

/** Finds a tenant by id or slug; undefined when it does not exist. */
export const findTenant = async (
  { dynamodb, table }: Table,
  idOrSlug: string,
): Promise<TenantNames | undefined> => {
  const read = async ({ pk, sk }: { pk: string; sk: string }) =>
    (
      await dynamodb.send(
        new GetItemCommand({
          TableName: table,
          Key: { pk: { S: pk }, sk: { S: sk } },
          ConsistentRead: true,
        }),
      )
    ).Item;
  const id = isUuid(idOrSlug)
    ? idOrSlug.toLowerCase()
    : (await read(tenantAliasKey(idOrSlug)))?.id?.S;
  if (id === undefined) return undefined;
  const item = await read(tenantKey(id));
  const [slug, organizationId] = [item?.slug?.S, item?.organizationId?.S];
  return slug === undefined || organizationId === undefined
    ? undefined
    : { id, slug, organizationId };
};

/** Returns what identifies a tenant's items, with the API keys of its organization. */
export const readSubject = async (
  target: Table,
  { id, slug, organizationId }: TenantNames,
  known: { isOnlyTenant?: boolean } = {},
): Promise<Subject> => {
  const partition = `ORG#${organizationId}`;
  const keys = new Set<string>();
  const ownKeys = new Set<string>();
  const foreignKeys = new Set<string>();
  for await (const { sk, mcpTenantId } of queryItems(target, partition, "KEY#")) {
    const keyId = (sk?.S ?? "").slice("KEY#".length);
    keys.add(keyId);
    if (mcpTenantId?.S === id) ownKeys.add(keyId);
    else if (mcpTenantId?.S !== undefined) foreignKeys.add(keyId);
  }
  let others = 0;
  for await (const { sk } of queryItems(target, partition, "TENANT#")) {
    if (sk?.S !== `TENANT#${slug}`) others += 1;
  }
  const { isOnlyTenant = others === 0 } = known;
  return { tenantId: id, slug, organizationId, isOnlyTenant, keys, ownKeys, foreignKeys };
};
