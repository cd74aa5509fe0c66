import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { webhookKey } from "../../platform/db/keys.ts";
import { type LeaseMembers, releaseLease, takeLease } from "../../platform/db/lease.ts";
import { patch } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { deleteItem, updateItem } from "../../platform/db/write-item.ts";
import type { Listener } from "../../vendors/registrar.ts";
import { registeringKey, type WebhookKey } from "../keys.ts";
import type { WebhookItem } from "../webhook/items.ts";
import { putExpiring } from "./expiring-store.ts";

/** Stored lease of a registration under way; kept when its worker crashes. */
export const RegisteringItem = z.object({
  provider: z.string(),
  configId: z.string(),
  externalContext: z.string().nullable(),
  url: z.string(),
  /** Expiry of the lease, Unix milliseconds; 0 for a released one. */
  until: z.int().default(0),
});
export type RegisteringItem = z.output<typeof RegisteringItem>;

const leaseMembers = ({ tenantId, webhookId }: WebhookKey): LeaseMembers => ({
  key: registeringKey(tenantId, webhookId),
  holder: "holder",
  until: "until",
});

/** Acquires the lease of registering a listener; "taken" while another worker holds it. */
export const acquireRegistration = async (
  db: Database,
  place: WebhookKey,
  { until, ...item }: RegisteringItem,
  { holder, now }: { holder: string; now: number },
): Promise<"acquired" | "taken"> => {
  const lease = takeLease(leaseMembers(place), { holder, until }, now, { set: item });
  return (await updateItem(db, lease)).written ? "acquired" : "taken";
};

/** Releases the lease immediately, keeping the item. */
export const releaseRegistration = async (
  db: Database,
  place: WebhookKey,
  holder: string,
): Promise<void> => {
  await updateItem(db, releaseLease(leaseMembers(place), { holder }));
};

/** TENANT#t / REGISTERING#webhook: the registration under way or interrupted. */
export const getRegistration = (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<RegisteringItem | undefined> =>
  getItem(db, registeringKey(tenantId, webhookId), RegisteringItem);

/** Deletes the registration under way. */
export const deleteRegistration = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<void> => {
  await deleteItem(db, { Key: registeringKey(tenantId, webhookId) });
};

type NewListener = { listener: Listener; configId: string; now: number };

/**
 * Saves a webhook's listener. A `PENDING` webhook becomes `ACTIVE`, any other keeps its status. "changed" when the
 * webhook changed since it was read.
 */
export const putListener = async (
  db: Database,
  tenantId: TenantId,
  webhook: WebhookItem,
  { listener, configId, now }: NewListener,
): Promise<"settled" | "changed"> => {
  const remote = { id: listener.remoteId, configId };
  const status = webhook.status === "PENDING" ? "ACTIVE" : webhook.status;
  const { expiresAt } = listener;
  const change = { status, statusReason: null, remote, expiresAt, modifiedAt: now };
  const outcome = await transact(db, [
    changeAsRead(tenantId, webhook, change),
    { Delete: { Key: registeringKey(tenantId, webhook.id) } },
    ...putExpiring(tenantId, webhook.id, expiresAt),
  ]);
  return outcome.written ? "settled" : "changed";
};

/** Saves why a webhook's registration failed. "changed" when the webhook changed since it was read. */
export const putRegistrationFailure = async (
  db: Database,
  tenantId: TenantId,
  webhook: WebhookItem,
  { reason, now }: { reason: string; now: number },
): Promise<"settled" | "changed"> => {
  const change = { status: "FAILED", statusReason: reason, modifiedAt: now } as const;
  const outcome = await transact(db, [changeAsRead(tenantId, webhook, change)]);
  return outcome.written ? "settled" : "changed";
};

/** Transaction write: updates a webhook that is unchanged since it was read. */
const changeAsRead = (
  tenantId: TenantId,
  { id, status, modifiedAt, externalContext, filter }: WebhookItem,
  change: Partial<WebhookItem>,
): TransactionWrite => ({
  Update: patch(webhookKey(tenantId, id), {
    set: change,
    expect: { status, modifiedAt, externalContext, filter },
  }),
});
