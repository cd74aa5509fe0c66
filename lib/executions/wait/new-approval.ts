import { isJsonObject } from "../../values/json/json.ts";
import type { ApprovalItem } from "../approvals/approval-item.ts";
import type { StoredWait } from "../checkpoints/wait-store.ts";
import type { Job } from "../job/job.ts";
import { jobSecrets, maskInText, maskInValue } from "../job/masks.ts";
import type { ExecutionKey } from "../record/keys.ts";
import type { NewWait } from "./open-waits.ts";

/** A wait for an approval, and the execution that it is in. */
type Asked = {
  job: Job;
  root: ExecutionKey;
  starterId: string | null;
  wait: StoredWait;
  requested: NewWait;
  /** Unix seconds. */
  ttl: number;
};

/** Builds the approval that a wait asks for, in which secrets are masked; undefined for another wait. */
export const newApproval = ({
  job,
  root,
  starterId,
  wait: { approvalId: id, path, since, until },
  requested: { stepId, approval },
  ttl,
}: Asked): ApprovalItem | undefined => {
  if (id === undefined || !approval) return undefined;
  const { item, agentRevision } = job;
  const secrets = jobSecrets(job).inTraces;
  const { title, message, data, arguments: given, actions, fields, approvers, ...asked } = approval;
  const { argumentsSchema } = approval;
  const shown = maskInValue(given, secrets);
  return {
    id,
    ...asked,
    agentId: item.agentId,
    agentRevision,
    executionId: item.id,
    root: { agentId: root.agentId, executionId: root.executionId },
    path,
    stepId,
    title: maskInText(title, secrets),
    message: message && maskInText(message, secrets),
    data: maskInValue(data, secrets),
    fields: [...fields],
    actions: [...actions],
    arguments: isJsonObject(shown) ? shown : null,
    argumentsSchema: argumentsSchema && { ...argumentsSchema },
    approvers,
    starterId,
    decisions: [],
    status: "Pending",
    createdAt: since,
    expiresAt: until,
    decidedAt: null,
    ttl,
  };
};
