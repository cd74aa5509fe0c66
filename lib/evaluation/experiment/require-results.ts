import { getAgent } from "../../agents/agent/store.ts";
import type { DeployRevisionBody } from "../../agents/revision/deployment.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import {
  belowMinimumScore,
  conflict,
  notFound,
  type Shortfall,
} from "../../platform/http/problems.ts";
import type { RevisionVersions, SummaryRow } from "./schemas.ts";
import { getWholeExperiment } from "./store.ts";
import { isBelowMinimum } from "./summary/is-below.ts";
import { reachedMean } from "./summary/reached-mean.ts";

/**
 * Requires that a revision reached minimum means in an experiment of its agent, and returns the
 * tested versions. Throws 404 for an experiment that does not exist, and 409 for one that has not
 * succeeded, has not tested the revision, or has lower means.
 */
export const requireResults = async (
  deps: { db: Database; objects: ObjectStore },
  {
    tenantId,
    agentId,
    revision,
    nonNullable: { experimentId, minimum },
  }: {
    nonNullable: NonNullable<DeployRevisionBody["require"]>;
    tenantId: TenantId;
    agentId: string;
    revision: number;
  },
): Promise<RevisionVersions> => {
  const found = await getWholeExperiment(deps, tenantId, experimentId);
  if (!found) throw notFound("experiment", experimentId);
  const { item, config, summary } = found;
  const agent = await getAgent(deps.db, tenantId, agentId);
  if (agent && agent.createdAt > item.createdAt && item.agentId === agentId) {
    throw conflict(`The experiment ${experimentId} tested a deleted agent of the id "${agentId}".`);
  }
  const versions = config.versions.find((version) => version.revision === revision);
  if (item.agentId !== agentId || !versions) {
    throw conflict(
      `The experiment ${experimentId} did not test revision ${revision} of the agent "${agentId}".`,
    );
  }
  if (item.status !== "Succeeded") {
    throw conflict(`The experiment ${experimentId} has not succeeded: it is ${item.status}.`);
  }
  const ofRevision = summary.filter((row) => row.revision === revision);
  const shortfalls = findShortfalls(ofRevision, minimum);
  if (shortfalls.length > 0) throw belowMinimumScore(experimentId, revision, shortfalls);
  return versions;
};

/**
 * Returns the scorers that did not reach their minimum mean; a scorer that is not in the experiment
 * has no value.
 */
const findShortfalls = (
  summary: readonly SummaryRow[],
  minimum: Readonly<Record<string, number>>,
): Shortfall[] =>
  Object.entries(minimum)
    .map(([scorer, least]) => {
      const row = summary.find((candidate) => candidate.scorer === scorer);
      return { scorer, value: row ? reachedMean(row) : null, minimum: least };
    })
    .filter(({ value, minimum: least }) => isBelowMinimum(value, least));
