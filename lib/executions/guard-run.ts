import type { KnowledgeQuery } from "../engine/flow/knowledge.ts";
import { allGuards, type SpendGuard } from "../engine/flow/spend-guard.ts";
import { StepError } from "../engine/flow/step-error.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { isUnavailable } from "../platform/runtime/aws-retry.ts";
import type { ExecutionDeps } from "./context.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Runs storage work of a step. When the storage fails, hands the run over, so that another one continues the execution
 * instead of recording the step as failed. A failure after `aborted` is not one of the storage.
 */
export const continueElsewhere = async <Result>(
  { handOver }: Pick<RunContext, "handOver">,
  work: () => Promise<Result>,
  aborted?: AbortSignal,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StepError) && !aborted?.aborted) handOver.abort();
    throw error;
  }
};

/** Combines the guards of a run; undefined for none. */
export const guardRun = (
  guards: readonly (SpendGuard | undefined)[],
  context: Pick<RunContext, "handOver">,
): SpendGuard | undefined => {
  const guard = allGuards(guards);
  return (
    guard && {
      checkUnpriced: guard.checkUnpriced,
      reserve: (spending) => continueElsewhere(context, () => guard.reserve(spending)),
    }
  );
};

/** Hands the run over when the tenant's providers, tools, skills or assets cannot be read. */
export const guardRegistries = (
  deps: Pick<ExecutionDeps, "modelsFor" | "toolsFor" | "skillsFor" | "knowledgeFor">,
  tenantId: TenantId,
  { handOver }: Pick<RunContext, "handOver">,
) => {
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (isUnavailable(error)) handOver.abort();
      throw error;
    }
  };
  const models = deps.modelsFor(tenantId);
  const tools = deps.toolsFor(tenantId);
  const skills = deps.skillsFor(tenantId);
  const knowledge = deps.knowledgeFor(tenantId);
  const { load } = tools;
  return {
    models: { resolve: (id: string) => guarded(() => models.resolve(id)) },
    tools: {
      ...tools,
      ...(load && { load: (...call: Parameters<typeof load>) => guarded(() => load(...call)) }),
    },
    skills: { resolve: (id: string) => guarded(() => skills.resolve(id)) },
    knowledge: { search: (query: KnowledgeQuery) => guarded(() => knowledge.search(query)) },
  };
};
