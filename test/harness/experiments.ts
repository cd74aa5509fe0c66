import { RevisionContent } from "../../lib/agents/revision/content.ts";
import { createRevision } from "../../lib/agents/revision/create-revision.ts";
import { addExamples } from "../../lib/evaluation/dataset/add-examples.ts";
import { createDataset } from "../../lib/evaluation/dataset/create-dataset.ts";
import type { SentExample } from "../../lib/evaluation/dataset/schemas.ts";
import { cancelExperiment } from "../../lib/evaluation/experiment/cancel-experiment.ts";
import { createExperiment } from "../../lib/evaluation/experiment/create-experiment.ts";
import { type ResultFilters, readResults } from "../../lib/evaluation/experiment/read-results.ts";
import { recoverExperiments } from "../../lib/evaluation/experiment/recover-experiments.ts";
import { runExperiment } from "../../lib/evaluation/experiment/run-experiment.ts";
import { runHooksFor } from "../../lib/evaluation/experiment/run-hooks.ts";
import type { CreateExperimentBody } from "../../lib/evaluation/experiment/schemas.ts";
import { getExperiment, getWholeExperiment } from "../../lib/evaluation/experiment/store.ts";
import { createScorer } from "../../lib/evaluation/scorer/create-scorer.ts";
import type { CreateScorerBody } from "../../lib/evaluation/scorer/schemas.ts";
import type { ExecutionDeps } from "../../lib/executions/job/job.ts";
import { RunExecutionMessage } from "../../lib/executions/messages.ts";
import { continueExecutions } from "../../lib/executions/recover/continue-executions.ts";
import { recoverExecutions } from "../../lib/executions/recover/recover-executions.ts";
import { type Respond, testExecutions } from "./execution.ts";
import type { TestDatabase } from "./table.ts";

/** A revision that outputs a template. */
export const templateRevision = (value: string) => ({
  parametersMetadata: [{ name: "name", type: "String", required: true }],
  flow: { steps: [{ id: "out", type: "Output", value }], edges: [] },
});
/** A revision that calls a model; a call costs a cent. */
export const asking = {
  ...templateRevision("{% steps.ask.output %}"),
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: {
    steps: [
      { id: "ask", type: "Prompt", prompt: "{% input.name %}" },
      { id: "out", type: "Output", value: "{% steps.ask.output %}" },
    ],
    edges: [{ source: "ask", target: "out" }],
  },
};
export const people: SentExample[] = ["ada", "bob", "cy"].map((name) => ({
  id: name,
  input: { name },
  expected: name.toUpperCase(),
}));
export const upper = templateRevision("{% $uppercase(input.name) %}");
export const exact: CreateScorerBody = { id: "correct", displayName: "Correct", type: "Exact" };

export type ExperimentSetUp = {
  revisions: readonly unknown[];
  respond?: Respond | undefined;
  examples?: readonly SentExample[] | undefined;
  /** Models in place of the one that responds with `say`. */
  modelsFor?: ExecutionDeps["modelsFor"] | undefined;
  /** Content of agents that are deployed before, by id. */
  others?: Readonly<Record<string, unknown>>;
};

/** Creates a tenant with an agent `a`, a dataset `d`, and a worker that runs executions while the driver pauses. */
export const testExperiments = async (
  db: TestDatabase,
  { revisions, respond: runTurn, examples = people, modelsFor, others = {} }: ExperimentSetUp,
) => {
  const world = testExecutions(db, runTurn);
  const { ctx } = world.tenant;
  const { tenantId } = world;
  const queued: Record<string, unknown[]> = { executions: [], experiments: [], events: [] };
  /** `score`: whether runs are scored in the function that ran them; `together`: whether messages are worked on together. */
  const workers = { score: true, idle: false, together: false };
  const send = async (queue: string, _tenant: string, message: unknown) => {
    queued[queue]?.push(message);
  };
  const deps: ExecutionDeps = { ...world.deps, send, ...(modelsFor && { modelsFor: modelsFor }) };
  const run = async (message: unknown) => {
    const deadline = ctx.clock() + 900_000;
    const { tenantId: of, runs } = RunExecutionMessage.parse(message);
    const continued = continueExecutions(deps, {
      message: { tenantId: of, runs },
      deadline,
      hooksFor: (item) => {
        const runHooks = runHooksFor(deps, { item, deadline });
        if (!runHooks || workers.score) return runHooks;
        return { ...runHooks, onEnded: async () => undefined };
      },
    });
    // As a message that is delivered again.
    await continued.catch(() => queued.executions?.push(message));
  };
  const work = async () => {
    const messages = workers.idle ? [] : (queued.executions?.splice(0) ?? []);
    if (workers.together) await Promise.all(messages.map(run));
    else for (const message of messages) await run(message);
  };
  let pauses = 0;
  const onPause = async (_pause: number): Promise<void> => undefined;
  const hooks = { onPause };
  const driverDeps: ExecutionDeps = {
    ...deps,
    sleep: async (ms) => {
      pauses += 1;
      if (pauses > 2_000) throw new Error("the driver goes on forever");
      await hooks.onPause(pauses);
      await work();
      world.tenant.advance(ms);
    },
  };
  for (const [id, content] of Object.entries(others)) await world.deploy(id, content);
  await world.deploy("a", revisions[0]);
  for (const content of revisions.slice(1)) {
    const input = { agentId: "a", content: RevisionContent.parse(content) };
    await createRevision(world.tenant.deps, { ctx, ...input });
  }
  await createDataset(deps, { ctx, body: { id: "d", displayName: "D" } });
  await addExamples(deps, { ctx, datasetId: "d", items: [...examples] });
  const place = (experimentId: string) => ({ tenantId, experimentId });

  return {
    ...world,
    deps,
    queued,
    workers,
    hooks,
    scorer: (body: CreateScorerBody) => createScorer(deps, { ctx, body }),
    create: async (body: Partial<CreateExperimentBody> = {}) => {
      const parts = { datasetId: "d", agentId: "a", revisions: [1], scorers: ["correct"] };
      return (await createExperiment(deps, { ctx, body: { ...parts, ...body } })).id;
    },
    drive: (experimentId: string, attempt = 1, untilMs = 840_000) =>
      runExperiment(driverDeps, {
        message: place(experimentId),
        receipt: {
          until: ctx.clock() + untilMs,
          deadline: ctx.clock() + 900_000,
          attempt,
        },
      }),
    read: async (experimentId: string) => {
      const whole = await getWholeExperiment(deps, tenantId, experimentId);
      if (!whole) throw new Error("no such experiment");
      return { ...whole.item, summary: whole.summary, versions: whole.config.versions };
    },
    isEnded: async (experimentId: string) =>
      (await getExperiment(db, tenantId, experimentId))?.endedAt !== null,
    results: async (
      experimentId: string,
      filters: ResultFilters = {},
      page = { size: 200, skip: 0 },
    ) => readResults(deps, { place: { ...place(experimentId), now: ctx.clock() }, filters, page }),
    cancel: (experimentId: string) =>
      cancelExperiment({ db, clock: ctx.clock }, { tenantId, experimentId }),
    recoverAll: async () => {
      await recoverExecutions({ db, send, clock: ctx.clock }).catch(() => undefined);
      await recoverExperiments({ db, send, clock: ctx.clock }).catch(() => undefined);
    },
    recover: () => recoverExperiments({ db, send, clock: ctx.clock }),
  };
};
