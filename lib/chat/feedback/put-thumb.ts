import { createHash } from "node:crypto";
import { putScore } from "../../evaluation/score/put-score.ts";
import { getKeptExecution } from "../../executions/record/store.ts";
import { triggerTypes } from "../../executions/schemas.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { Problem } from "../../platform/http/problems.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Thumb } from "../../vendors/shared/chat/thumbs.ts";
import { deriveChatUserId } from "../chat-user/id.ts";
import { getChatUser } from "../chat-user/user-store.ts";
import type { ConnectorItem } from "../connector/items.ts";

const name = "thumbs";

/** The connector that received a press. */
type Receiver = {
  tenantId: TenantId;
  connector: Pick<ConnectorItem, "id" | "agentId" | "policy" | "parameters">;
};

/**
 * Scores the execution behind a chat reply. The last press of a chat user counts. Does nothing for
 * a connector without thumbs, a user whom its policy does not admit, and an execution that it did
 * not start.
 */
export const putThumb = async (
  db: Database,
  { tenantId, connector }: Receiver,
  { userId, executionId, isUp }: Thumb,
  now: number,
): Promise<void> => {
  const { id, agentId, policy, parameters } = connector;
  if (parameters.thumbs !== "true" || policy === "DenyAll") return;
  const chatUserId = deriveChatUserId(id, userId);
  const [execution, user] = await Promise.all([
    getKeptExecution(db, tenantId, { agentId, executionId, now }),
    policy === "RequireApproval" ? getChatUser(db, tenantId, agentId, chatUserId) : undefined,
  ]);
  if (policy === "RequireApproval" && user?.status !== "Active") return;
  const { trigger } = execution?.item ?? {};
  if (trigger?.type !== triggerTypes.connector || trigger.id !== id) return;
  const score = {
    id: `${name}-${createHash("sha256").update(chatUserId).digest("hex").slice(0, 16)}`,
    name,
    value: isUp,
    spanId: null,
    comment: null,
    source: "Chat" as const,
    createdAt: now,
    createdBy: chatUserId,
  };
  try {
    await putScore(db, { tenantId, agentId, executionId }, score);
  } catch (error) {
    // The execution was deleted meanwhile, or has no room for a score.
    if (!(error instanceof Problem)) throw error;
    log("feedback-not-written", { executionId, problem: error.slug });
  }
};
