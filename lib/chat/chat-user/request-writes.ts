import { accessRequestByStatusKey, accessRequestKey, listed } from "../../platform/db/keys.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import type { AccessRequestItem } from "./items.ts";

type Place = Pick<AccessRequestItem, "tenantId" | "agentId" | "id" | "status">;

const keysOf = ({ tenantId, agentId, id, status }: Place) => ({
  among: accessRequestByStatusKey(tenantId, agentId, status, id),
  itself: accessRequestKey(tenantId, agentId, id),
});

/** Part of a transaction: a new access request, in both of its places. */
export const putRequest = (item: AccessRequestItem): TransactionWrite[] => {
  const { itself, among } = keysOf(item);
  return [
    { Put: { Item: { ...listed(itself), ...item } } },
    { Put: { Item: { ...listed(among), ...item } } },
  ];
};

/** Part of a transaction, its first write with the condition: a pending request is decided, in both of its places. */
export const decideRequest = (item: AccessRequestItem): TransactionWrite[] => {
  const { itself, among } = keysOf(item);
  return [
    { Put: { Item: { ...listed(itself), ...item }, ...isPending } },
    { Put: { Item: { ...listed(among), ...item } } },
    { Delete: { Key: keysOf({ ...item, status: "Pending" }).among } },
  ];
};

/** Part of a transaction: an access request that is gone from both of its places. */
export const deleteRequest = (place: Place): TransactionWrite[] => {
  const { itself, among } = keysOf(place);
  return [{ Delete: { Key: itself } }, { Delete: { Key: among } }];
};

const isPending = {
  ConditionExpression: "#status = :pending",
  ExpressionAttributeNames: { "#status": "status" },
  ExpressionAttributeValues: { ":pending": "Pending" },
};
