import { listed } from "../../platform/db/keys.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { accessRequestByStatusKey, accessRequestKey } from "../keys.ts";
import type { AccessRequestItem } from "./items.ts";

type RequestRef = Pick<AccessRequestItem, "tenantId" | "agentId" | "id" | "status">;

const buildRequestKeys = ({ tenantId, agentId, id, status }: RequestRef) => ({
  byStatus: accessRequestByStatusKey(tenantId, agentId, status, id),
  byId: accessRequestKey(tenantId, agentId, id),
});

/** Transaction writes: a new access request, under its id and its status. */
export const putRequest = (item: AccessRequestItem): TransactionWrite[] => {
  const { byId, byStatus } = buildRequestKeys(item);
  return [
    { Put: { Item: { ...listed(byId), ...item } } },
    { Put: { Item: { ...listed(byStatus), ...item } } },
  ];
};

/** Transaction writes: decides a request; only the first write has the condition that it is pending. */
export const decideRequest = (item: AccessRequestItem): TransactionWrite[] => {
  const { byId, byStatus } = buildRequestKeys(item);
  return [
    { Put: { Item: { ...listed(byId), ...item }, ...isPending } },
    { Put: { Item: { ...listed(byStatus), ...item } } },
    { Delete: { Key: buildRequestKeys({ ...item, status: "Pending" }).byStatus } },
  ];
};

/** Transaction writes: deletes an access request under its id and its status. */
export const deleteRequest = (request: RequestRef): TransactionWrite[] => {
  const { byId, byStatus } = buildRequestKeys(request);
  return [{ Delete: { Key: byId } }, { Delete: { Key: byStatus } }];
};

const isPending = {
  ConditionExpression: "#status = :pending",
  ExpressionAttributeNames: { "#status": "status" },
  ExpressionAttributeValues: { ":pending": "Pending" },
};
