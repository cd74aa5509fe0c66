import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { QueueName } from "../../lib/platform/queue/queues.ts";
import type { Installation } from "./installation.ts";
import type { TenantNames } from "./subject.ts";
import { queryItems } from "./table-items.ts";

/** Requests from the installation's functions what an import cannot copy: schedules, and purges under way. Idempotent. */
export const deliverImported = async (
  target: Installation,
  { id: tenantId, organizationId }: TenantNames,
): Promise<void> => {
  await countActiveKeys(target, organizationId);
  const send = (queue: QueueName, message: Record<string, unknown>) =>
    target.send(queue, tenantId, { tenantId, ...message });
  const partition = `TENANT#${tenantId}`;
  for await (const { sk, isScheduled } of queryItems(target, partition, "AGENT#")) {
    const agentId = sk?.S?.slice("AGENT#".length);
    if (isScheduled?.BOOL) await send("schedules", { type: "sync-schedules", agentId });
  }
  for await (const { sk } of queryItems(target, partition, "DELETED#")) {
    const [, kind = "", id = ""] = /^DELETED#([A-Z]+)#(.*)$/s.exec(sk?.S ?? "") ?? [];
    const name = kind.toLowerCase();
    await send("housekeeping", { type: `purge-${name}`, [`${name}Id`]: id });
  }
  for await (const { assetId, indexId } of queryItems(target, `${partition}#ASSETS#DELETED`, "")) {
    await send("housekeeping", { type: "purge-asset", assetId: assetId?.S, indexId: indexId?.S });
  }
  const deletedDatasets = queryItems(target, `${partition}#DATASETS#DELETED`, "");
  for await (const { datasetId, contentId } of deletedDatasets) {
    const ids = { datasetId: datasetId?.S, contentId: contentId?.S };
    await send("housekeeping", { type: "purge-dataset", ...ids });
  }
};

/** Counts the organization's active keys: an import adds some to those of its other tenants. */
const countActiveKeys = async (target: Installation, organizationId: string): Promise<void> => {
  const pk = `ORG#${organizationId}`;
  let active = 0;
  for await (const { uncounted } of queryItems(target, pk, "LIVE#KEY#")) {
    if (!uncounted?.BOOL) active += 1;
  }
  const Item = { pk: { S: pk }, sk: { S: "ACTIVEKEYS" }, active: { N: String(active) } };
  await target.dynamodb.send(new PutItemCommand({ TableName: target.table, Item }));
};
