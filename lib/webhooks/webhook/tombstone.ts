import type * as z from "zod";
import type { TombstoneKind } from "../../platform/deletion/tombstone.ts";
import { deletedWebhookKey } from "../keys.ts";
import type { PurgeWebhookMessage } from "../messages.ts";
import { WebhookItem } from "./items.ts";

/** A deleted webhook; `remote` until its removal was requested. */
const WebhookTombstone = WebhookItem.pick({ provider: true, remote: true, externalContext: true });
export type WebhookTombstone = z.output<typeof WebhookTombstone>;

/** TENANT#t / DELETED#WEBHOOK#id: a deleted webhook that is not purged yet. */
export const webhookTombstones: TombstoneKind<PurgeWebhookMessage, WebhookTombstone> = {
  type: "purge-webhook",
  key: ({ tenantId, webhookId }) => deletedWebhookKey(tenantId, webhookId),
  schema: WebhookTombstone,
};
