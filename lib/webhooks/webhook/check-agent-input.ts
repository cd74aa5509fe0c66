import { getAgent } from "../../agents/agent/store.ts";
import { RevisionContent } from "../../agents/revision/content.ts";
import { getRevisionContent } from "../../agents/revision/store.ts";
import { isRecord, pointerOf } from "../../json/json.ts";
import type { Database } from "../../platform/db/database.ts";
import { type ObjectStore, unpackValue } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { didYouMean } from "../../platform/http/nearest-name.ts";
import type { InvalidPlace } from "../../platform/http/problems.ts";
import type { Subscription } from "./schemas.ts";

/**
 * Finds the members of a subscription's input that its agent does not declare: in its deployed revision, or its
 * latest one before the first deployment. An agent without a revision declares nothing yet, and is not checked.
 */
export const checkAgentInput = async (
  { db, objects }: { db: Database; objects: ObjectStore },
  tenantId: TenantId,
  {
    subscriberType,
    subscriberId,
    input,
  }: Pick<Subscription, "subscriberType" | "subscriberId"> & { input?: unknown },
): Promise<InvalidPlace[]> => {
  if (subscriberType !== "Agent" || !isRecord(input)) return [];
  const agent = await getAgent(db, tenantId, subscriberId);
  const revision = agent?.deployedRevision ?? agent?.latestRevision ?? 0;
  if (revision === 0) return [];
  const stored = await getRevisionContent(db, tenantId, subscriberId, revision);
  if (!stored) return [];
  const content = RevisionContent.parse(await unpackValue(stored.content, objects));
  const declared = content.parametersMetadata.map(({ name }) => name);
  return Object.keys(input)
    .filter((name) => !declared.includes(name))
    .map((name) => ({
      pointer: pointerOf("input", name),
      detail: didYouMean("is not an input of the agent", name, declared),
    }));
};
