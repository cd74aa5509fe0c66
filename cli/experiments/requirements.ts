import { ProblemError } from "../../client/problem-error.ts";
import { usage } from "../exit.ts";
import type { Session } from "../session.ts";
import { parseMinimum, shortfallText } from "./minimums.ts";
import { readExperiment } from "./read-experiment.ts";

/** Lowest means by scorer that a revision must have reached in an experiment. */
export type Requirement = { experimentId: string; minimum: Record<string, number> };

/** Parses `experiment:scorer=mean` of `--require`; those of one experiment are one requirement. */
export const parseRequirements = (given: readonly string[]): readonly Requirement[] => {
  const requirements = new Map<string, Requirement>();
  for (const text of given) {
    const { experimentId = "", pair = "" } = format.exec(text)?.groups ?? {};
    const minimum = parseMinimum(pair);
    if (!minimum) {
      throw usage(
        "--require must be experiment:scorer=mean, such as --require 0193f0a0-7c4b-7000-8000-000000000000:correct=0.9.",
      );
    }
    const earlier = requirements.get(experimentId)?.minimum;
    requirements.set(experimentId, {
      experimentId,
      minimum: { ...earlier, [minimum.scorer]: minimum.least },
    });
  }
  return [...requirements.values()];
};

const format = /^(?<experimentId>[^:]+):(?<pair>.+)$/;

/** Returns requirements by the agent that their experiment tested. */
export const findTestedAgents = async (
  session: Session,
  requirements: readonly Requirement[],
): Promise<ReadonlyMap<string, Requirement>> => {
  const byAgent = new Map<string, Requirement>();
  for (const requirement of requirements) {
    const { agentId } = await readExperiment(session, requirement.experimentId);
    if (byAgent.has(agentId)) throw usage(`--require names two experiments of ${agentId}.`);
    byAgent.set(agentId, requirement);
  }
  return byAgent;
};

/** Describes the means for which a deployment was refused; undefined for another error. */
export const describeShortfalls = (error: unknown): string[] | undefined => {
  if (!(error instanceof ProblemError)) return undefined;
  const { shortfalls } = error.problem;
  if (!Array.isArray(shortfalls) || !shortfalls.every(isShortfall)) return undefined;
  return shortfalls.map(({ scorer, value, minimum }) =>
    shortfallText({ scorer, mean: value, least: minimum }),
  );
};

/** A mean that is below its minimum, as the API reports it. */
type Shortfall = { scorer: string; value: number | null; minimum: number };

const isShortfall = (value: unknown): value is Shortfall =>
  typeof value === "object" &&
  value !== null &&
  "scorer" in value &&
  typeof value.scorer === "string" &&
  "value" in value &&
  (value.value === null || typeof value.value === "number") &&
  "minimum" in value &&
  typeof value.minimum === "number";
