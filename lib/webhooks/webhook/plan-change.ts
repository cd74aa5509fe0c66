import type { WebhookItem } from "./items.ts";
import type { UpdateWebhookBody } from "./schemas.ts";
import type { WebhookChange } from "./store.ts";

/** A change of a webhook and its effects on the listener. */
export type ChangePlan = {
  change: WebhookChange;
  /** Whether to register or update the listener. */
  registers: boolean;
  /** Whether the existing listener is at the wrong place and must be removed. */
  leavesListener: boolean;
};

/**
 * Plans the status and listener after an update. The listener follows the members it was created from; a failed
 * registration is retried when the status is set to `ACTIVE`.
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
  // Without a place to register at, an open or failed registration is over.
  const isEnded = moves && !registers && ["PENDING", "FAILED"].includes(before.status);
  const leavesListener = moves && before.remote !== null;
  return {
    change: {
      filter,
      externalContext,
      status: registers ? "PENDING" : (body.status ?? (isEnded ? "ACTIVE" : undefined)),
      statusReason: registers || isEnded || body.status !== undefined ? null : undefined,
      ...(leavesListener && { remote: null, expiresAt: null }),
    },
    registers,
    leavesListener,
  };
};

const differs = (before: string | null, after: string | null | undefined): boolean =>
  after !== undefined && after !== before;
