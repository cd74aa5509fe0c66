import type { ConversationMessage } from "../../engine/flow/conversation-message.ts";
import { noCost } from "../../engine/models/sums.ts";
import type { ParameterDescriptor } from "../../json/parameters.ts";
import { packValue } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { newUuid, timeOfUuid } from "../../platform/runtime/runtime.ts";
import type { ExecutionDeps } from "./context.ts";
import type { ExecutionInputItem, ExecutionItem } from "./items.ts";
import type { Trigger } from "./schemas.ts";
import { hideSecrets } from "./secret-inputs.ts";

/** A new execution. */
export type NewExecution = {
  /** Version 7 UUID of the current time; default: a new one. */
  id?: string | undefined;
  tenantId: TenantId;
  agentId: string;
  agentRevision: number;
  parametersMetadata: readonly ParameterDescriptor[];
  trigger: Trigger;
  input: Readonly<Record<string, unknown>>;
  metadata: Record<string, string>;
  session?: readonly ConversationMessage[] | undefined;
  isSample: boolean;
  status: "Queued" | "Running";
};

/** Builds the items of a new execution; `startTime` is the time of its id. */
export const newExecution = async (
  { sealer, objects, runtime }: Pick<ExecutionDeps, "sealer" | "objects" | "runtime">,
  execution: NewExecution,
): Promise<{ item: ExecutionItem; input: ExecutionInputItem }> => {
  const { tenantId, agentId, agentRevision, trigger, metadata, session, isSample, status } =
    execution;
  const id = execution.id ?? newUuid(runtime);
  const startTime = timeOfUuid(id);
  const { shown, secrets } = await hideSecrets(
    sealer,
    tenantId,
    id,
    execution.input,
    execution.parametersMetadata,
  );
  const objectKey = `${tenantId}/${agentId}/executions/${id}/input`;
  return {
    item: {
      id,
      agentId,
      agentRevision,
      startTime,
      endTime: null,
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
      hasResult: false,
      hasTrace: false,
      isSample,
      trigger,
      destinations: [],
      environmentSlug: isSample ? "test" : "production",
      createdAt: startTime,
      tenantId,
      ...noCost,
      status,
      errorType: null,
      ...(Object.keys(metadata).length > 0 && { metadata }),
      reserved: 0,
    },
    input: {
      input: await packValue(shown, objectKey, objects),
      secrets,
      ...(session?.length && { session: [...session] }),
      metadata,
    },
  };
};
