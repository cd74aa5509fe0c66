import type { Send } from "../../platform/queue/send.ts";
import type { LookBackMessage } from "../messages.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import type { ReachedWait } from "./open-waits.ts";

/** The message comes after the transaction that registers the wait. */
const delaySeconds = 1;

/** Sends the request to look for events that came before a wait; nothing for a wait that is not for an event. */
export const sendLookBack = async (
  send: Send,
  {
    root,
    item,
    wait: { webhookId, path },
  }: {
    root: ExecutionKey;
    item: Parameters<typeof toExecutionKey>[0];
    wait: Pick<ReachedWait, "webhookId" | "path">;
  },
): Promise<void> => {
  if (webhookId === undefined) return;
  const { tenantId, executionId } = toExecutionKey(item);
  const message: LookBackMessage = {
    type: "look-back",
    tenantId,
    root: { agentId: root.agentId, executionId: root.executionId },
    webhookId,
    executionId,
    path,
    isSecond: false,
  };
  await send("subscribers", tenantId, message, delaySeconds);
};
