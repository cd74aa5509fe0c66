import { getAgent } from "../../agents/agent/store.ts";
import { RevisionContent } from "../../agents/revision/content.ts";
import { getRevisionContent } from "../../agents/revision/store.ts";
import type { Database } from "../../platform/db/database.ts";
import { type ObjectStore, unpackValue } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { didYouMean } from "../../platform/http/nearest-name.ts";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import { buildPointer, isRecord } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { Subscription } from "./schemas.ts";

/**
 * A subscription's input in a request: null for the default mapping, undefined to keep the stored
 * one.
 */
type Written = Pick<Subscription, "subscriberType" | "subscriberId"> & {
  input?: unknown;
  session?: unknown;
};

/**
 * Finds the members of a subscription's input that its agent does not declare, and the required inputs that it leaves
 * out: by the agent's deployed revision, or its latest one before the first deployment. An agent without a revision
 * declares nothing yet, and is not checked; neither is an input that an expression gives as a whole.
 */
export const checkAgentInput = async (
  deps: { db: Database; objects: ObjectStore },
  {
    tenantId,
    written: { subscriberType, subscriberId, input, session = null },
  }: { tenantId: TenantId; written: Written },
): Promise<ValidationIssue[]> => {
  if (subscriberType !== "Agent" || (input === undefined && session === null)) return [];
  const content = await readContent(deps, tenantId, subscriberId);
  if (!content) return [];
  const { parametersMetadata: parameters, useSession } = content;
  const wrong =
    session === null || useSession
      ? []
      : [{ pointer: "/session", detail: 'needs an agent with "useSession" in its revision' }];
  if (input === undefined || (input !== null && !isRecord(input))) return wrong;
  const own = input === null ? missingFromEvent(parameters) : wrongMembers(input, parameters);
  return [...own, ...wrong];
};

const readContent = async (
  { db, objects }: { db: Database; objects: ObjectStore },
  tenantId: TenantId,
  agentId: string,
): Promise<RevisionContent | undefined> => {
  const agent = await getAgent(db, tenantId, agentId);
  const revision = agent?.deployedRevision ?? agent?.latestRevision ?? 0;
  if (revision === 0) return undefined;
  const stored = await getRevisionContent(db, tenantId, agentId, revision);
  return stored && RevisionContent.parse(await unpackValue(stored.content, objects));
};

const wrongMembers = (
  input: Readonly<Record<string, unknown>>,
  parameters: readonly ParameterDescriptor[],
): ValidationIssue[] => {
  const declared = parameters.map(({ name }) => name);
  const unknown = Object.keys(input).filter((name) => !declared.includes(name));
  return [
    ...unknown.map((name) => ({
      pointer: buildPointer("input", name),
      detail: didYouMean("is not an input of the agent", name, declared),
    })),
    ...parameters
      .filter((parameter) => isNeeded(parameter) && !Object.hasOwn(input, parameter.name))
      .map(({ name }) => ({
        pointer: buildPointer("input", name),
        detail: "is required by the agent",
      })),
  ];
};

/** The default mapping gives the event as `event`, if the agent declares it. */
const missingFromEvent = (parameters: readonly ParameterDescriptor[]): ValidationIssue[] =>
  parameters
    .filter((parameter) => isNeeded(parameter) && parameter.name !== "event")
    .map(({ name }) => ({
      pointer: buildPointer("input", name),
      detail:
        "is required by the agent, and a subscription without an input sends the event only: map it",
    }));

const isNeeded = ({ required, defaultValue }: ParameterDescriptor): boolean =>
  required && defaultValue === null;
