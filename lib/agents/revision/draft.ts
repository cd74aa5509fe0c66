import * as z from "zod";
import { restrictFlow } from "../../engine/flow/pinned-steps.ts";
import { issuesUnder } from "../../platform/http/issues-under.ts";
import { notFound, type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import type { ReadAgent } from "../../tenancy/tenant/context.ts";
import { buildPointer, type Json } from "../../values/json/json.ts";
import { anyNames, limitedRecord } from "../../values/json/limited-record.ts";
import { AgentItem, getAgent } from "../agent/store.ts";
import { CreateRevisionBody, RevisionContent } from "./content.ts";
import type { Deployed } from "./load-deployed.ts";
import { compileRevision, type LoadedRevision } from "./load-revision.ts";
import { readMergedSecrets } from "./merge-secrets.ts";
import {
  type PrepareContext,
  type PrepareDeps,
  type PreparedRevision,
  prepareRevision,
} from "./prepare-revision.ts";
import { putSecretsBack, type Secrets } from "./secrets.ts";

/** The number of a draft, which is no revision's. */
export const draftRevision = 0;

const stepId = z.string().max(128);
const anyJson = z.custom<Json>((value) => value !== undefined);

/** Request body that tests a draft of a revision. */
export const TestDraftBody = z
  .object({
    revision: CreateRevisionBody.meta({ description: "The revision, which is not stored." }),
    input: anyNames(z.unknown())
      .optional()
      .meta({ description: "Named inputs, validated against the draft's parametersMetadata." }),
    only: stepId.optional().meta({
      description: "The only step to run. Steps that it reads must be pinned. Default: all steps.",
    }),
    pinned: limitedRecord(stepId, z.unknown(), 200)
      .optional()
      .meta({ description: "Outputs of steps that are not run, by their ids." }),
  })
  .meta({
    id: "TestDraftBody",
    example: {
      revision: {
        parametersMetadata: [{ name: "name", type: "String" }],
        flow: {
          steps: [
            { id: "greeting", type: "Transform", value: "Hello, {% input.name %}!" },
            { id: "answer", type: "Output", value: "{% steps.greeting.output %}" },
          ],
          edges: [{ source: "greeting", target: "answer" }],
        },
      },
      input: { name: "Ada" },
      pinned: { greeting: "Hi, Ada!" },
    },
  });
export type TestDraftBody = z.output<typeof TestDraftBody>;

/** A draft as its execution stores it, without the secrets. */
export const StoredDraft = z.object({
  content: RevisionContent,
  only: z.string().optional(),
  pinned: anyNames(anyJson),
});
export type StoredDraft = z.output<typeof StoredDraft>;

/** A draft to run, and what its execution stores of it. */
export type Draft = { deployed: Deployed; stored: StoredDraft; secrets: Secrets };

/**
 * Checks a draft as its creation would, and the steps that a test of it names. Stores nothing. Throws 403, 404, and 400 with
 * pointers into the body of the test.
 */
export const prepareDraft = async (
  deps: PrepareDeps,
  {
    ctx,
    agentId,
    body: { revision, only, pinned: given = {} },
  }: {
    ctx: PrepareContext & { readAgent?: ReadAgent | undefined };
    agentId: string;
    body: TestDraftBody;
  },
): Promise<Draft> => {
  const tenantId = ctx.tenant.id;
  const pinned = StoredDraft.shape.pinned.parse(given);
  const agent = await findAgent(deps, ctx, agentId);
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  const { prepared, secrets } = await issuesUnder("/revision", async () => {
    const checked = await prepareRevision(deps, { ctx, agentId, content: revision, processor });
    const sent = { secrets: checked.secrets, kept: checked.kept };
    return {
      prepared: checked,
      secrets: await readMergedSecrets(deps, { tenantId, agent, sent }),
    };
  });
  const errors = checkNames(prepared, { only, pinned });
  if (errors.length > 0) throw validationFailed(errors);
  const stored = { content: prepared.masked, ...(only !== undefined && { only }), pinned };
  const loaded = loadDraft(stored, secrets);
  return { deployed: { agent, agentRevision: draftRevision, revision: loaded }, stored, secrets };
};

const findAgent = async (
  { db }: PrepareDeps,
  { tenant, readAgent }: PrepareContext & { readAgent?: ReadAgent | undefined },
  agentId: string,
): Promise<AgentItem> => {
  const agent = readAgent
    ? AgentItem.optional().parse(readAgent.item)
    : await getAgent(db, tenant.id, agentId);
  if (!agent) throw notFound("agent", agentId);
  return agent;
};

/** Finds pinned and selected steps that do not exist, and steps that the selected one reads and that are not pinned. */
const checkNames = (
  { flow, reads }: Pick<PreparedRevision, "flow" | "reads">,
  { only, pinned }: { only: string | undefined; pinned: Readonly<Record<string, unknown>> },
): ValidationIssue[] => {
  const ids = new Set(flow.steps.map(({ base }) => base.id));
  const unknown = Object.keys(pinned)
    .filter((id) => !ids.has(id))
    .map((id) => ({ pointer: buildPointer("pinned", id), detail: "is not a step of the flow" }));
  if (only === undefined) return unknown;
  if (!ids.has(only))
    return [...unknown, { pointer: "/only", detail: "is not a step of the flow" }];
  const missing = (reads.get(only) ?? []).filter((id) => !Object.hasOwn(pinned, id));
  return [
    ...unknown,
    ...(Object.hasOwn(pinned, only)
      ? [{ pointer: buildPointer("pinned", only), detail: "is the step to run" }]
      : []),
    ...missing.map((id) => ({
      pointer: buildPointer("pinned", id),
      detail: `is required, because the step "${only}" reads it`,
    })),
  ];
};

/** Makes a stored draft ready to run. */
export const loadDraft = (
  { content: masked, only, pinned: given }: StoredDraft,
  secrets: Secrets,
): LoadedRevision => {
  const revision = compileRevision(putSecretsBack(masked, secrets));
  const pinned = new Map(Object.entries(given));
  const { flow } = revision;
  return {
    ...revision,
    flow: only === undefined ? flow : restrictFlow(flow, { only, pinned }),
    pinned,
  };
};
