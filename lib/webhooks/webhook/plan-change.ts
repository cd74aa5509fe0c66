import type { WebhookItem } from "./items.ts";
import type { UpdateWebhookBody } from "./schemas.ts";
import type { WebhookChange } from "./store.ts";

/** A change of a webhook, and what it asks of the provider's side. */
export type ChangePlan = {
  change: WebhookChange;
  /** The listener is to be made, or changed to what is wanted now. */
  registers: boolean;
  /** There is a listener at another place than what is wanted now. */
  leavesListener: boolean;
};

/**
 * What is to become of a webhook's status and listener when some of its members change. A listener follows
 * what it was made of; one that could not be made is tried again when the webhook is set to `ACTIVE`.
 */
export const planChange = (
  before: WebhookItem,
  body: UpdateWebhookBody,
  canRegister: boolean,
): ChangePlan => {
  const { filter, externalContext, signingSecret, status = before.status } = body;
  const moves = differs(before.externalContext, externalContext);
  const isRefreshed = moves || differs(before.filter, filter) || signingSecret !== undefined;
  const isActivated = body.status === "ACTIVE" && before.status !== "ACTIVE";
  const registers = canRegister && status !== "DISABLED" && (isRefreshed || isActivated);
  const leavesListener = moves && before.remote !== null;
  return {
    change: {
      filter,
      externalContext,
      status: registers ? "PENDING" : body.status,
      statusReason: registers || body.status !== undefined ? null : undefined,
      ...(leavesListener && { remote: null, expiresAt: null }),
    },
    registers,
    leavesListener,
  };
};

const differs = (before: string | null, after: string | null | undefined): boolean =>
  after !== undefined && after !== before;
