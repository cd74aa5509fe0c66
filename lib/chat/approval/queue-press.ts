import type { Send } from "../../platform/queue/send.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import type { ButtonPress } from "../../vendors/chat-provider.ts";
import type { PressApprovalMessage } from "../messages.ts";
import { readApprovalPress } from "./press.ts";

/** Queues the press of an approval's button before the provider gets its response; does nothing for another press. */
export const queuePress = async (
  send: Send,
  {
    tenant,
    connectorId,
    press,
  }: {
    tenant: Pick<TenantOwner, "id" | "organizationId">;
    connectorId: string;
    press: ButtonPress | undefined;
  },
): Promise<void> => {
  const chosen = press && readApprovalPress(press);
  if (!press || !chosen) return;
  const { user, message } = press;
  const { id: tenantId, organizationId } = tenant;
  const ids = { tenantId, organizationId, connectorId };
  const queued: PressApprovalMessage = {
    type: "press-approval",
    ...ids,
    ...chosen,
    user: { id: clean(user.id), name: user.name === null ? null : clean(user.name) },
    ...(message && { message }),
  };
  await send("chats", chosen.approvalId, queued);
};

const maxLength = 512;

/** Shortens a text, and replaces characters that SQS rejects. */
const clean = (text: string): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .replaceAll(/[\uFFFE\uFFFF]/g, "\uFFFD");
