import { type CompiledFlow, checkFlow } from "../../engine/flow/compile-flow.ts";
import type { AgentUse } from "../../engine/flow/step-type.ts";
import { describeUnknownIntegration } from "../../integrations/catalog/integration-ids.ts";
import { checkAssets } from "../../knowledge/asset/check-assets.ts";
import { mask } from "../../platform/http/mask.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { checkDescriptors } from "../../values/json/check-descriptors.ts";
import { isRecord } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import { checkJobPolicies } from "../job-policy/check-job-policies.ts";
import type { RevisionContent } from "./content.ts";

/**
 * Checks a revision, except that the agents it uses exist, and returns those agents, the flow, and what its steps read. Throws 400 with a pointer
 * to every error.
 */
export const checkRevision = async (
  agentId: string,
  content: RevisionContent,
  processor: ProcessorBudget,
): Promise<{
  uses: AgentUse[];
  flow: CompiledFlow;
  reads: ReadonlyMap<string, readonly string[]>;
}> => {
  const { subAgents, assets } = content;
  const declared = content.parametersMetadata.map(({ name }) => name);
  const compiled = await checkFlow(content.flow, { subAgents, assets, declared }, processor);
  const used = [
    ...content.subAgents.map((subAgent, at) => ({
      agentId: subAgent.agentId,
      pointer: `/subAgents/${at}/agentId`,
    })),
    ...(compiled.ok ? compiled.flow.agents : []).map((use) => ({
      ...use,
      pointer: `/flow${use.pointer}`,
    })),
  ];
  const descriptors = content.parametersMetadata.map(withoutMask);
  const descriptorErrors = await checkDescriptors(descriptors, processor);
  const errors = [
    ...under("/flow", compiled.ok ? [] : compiled.errors),
    ...under("/parametersMetadata", descriptorErrors),
    ...selfReferences(agentId, content),
    ...(compiled.ok && compiled.flow.agentIds.includes(agentId)
      ? [{ pointer: "/flow", detail: "must not use the agent itself as a sub-agent" }]
      : []),
    ...promptsWithoutModel(content),
    ...tooManyAgents(used),
    ...repeatedIds("/subAgents", content.subAgents),
    ...repeatedIds("/connectors", content.connectors),
    ...repeatedIds("/integrationConfigs", content.integrationConfigs),
    ...unknownIntegrations(content),
    ...repeatedIds("/jobPolicyConfigs", content.jobPolicyConfigs),
    ...under("/assets", checkAssets(content.assets)),
    ...under("/jobPolicyConfigs", checkJobPolicies(content.jobPolicyConfigs, content)),
  ];
  if (errors.length > 0 || !compiled.ok) throw validationFailed(errors);
  return { uses: used, flow: compiled.flow, reads: compiled.reads };
};

/** A deployment updates each agent that it uses in one transaction of at most 100 writes. */
const maxAgents = 45;

/** Finds Prompts that name no model in a revision that has none either. */
const promptsWithoutModel = ({ flow, llmConfigs }: RevisionContent): ValidationIssue[] =>
  llmConfigs.length > 0
    ? []
    : flow.steps.flatMap((step, at) => promptsIn(`/flow/steps/${at}`, step));

const promptsIn = (pointer: string, step: unknown): ValidationIssue[] => {
  if (!isRecord(step)) return [];
  const isWithout = step.type === "Prompt" && (step.llm === undefined || step.llm === null);
  const detail =
    'is required, because the revision has no llmConfigs; such as {"providerId": "echo"}';
  return [
    ...(isWithout ? [{ pointer: `${pointer}/llm`, detail }] : []),
    ...("step" in step ? promptsIn(`${pointer}/step`, step.step) : []),
  ];
};

const tooManyAgents = (used: readonly AgentUse[]): ValidationIssue[] =>
  new Set(used.map(({ agentId }) => agentId)).size > maxAgents
    ? [{ pointer: "/flow", detail: `must not use more than ${maxAgents} agents` }]
    : [];

/** A mask replaces a value that was checked when it was sent. */
const withoutMask = (descriptor: ParameterDescriptor): ParameterDescriptor =>
  descriptor.secret && descriptor.defaultValue === mask
    ? { ...descriptor, defaultValue: null }
    : descriptor;

const under = (pointer: string, errors: readonly ValidationIssue[]): ValidationIssue[] =>
  errors.map((error) => ({ pointer: pointer + error.pointer, detail: error.detail }));

const unknownIntegrations = ({ integrationConfigs }: RevisionContent): ValidationIssue[] =>
  integrationConfigs.flatMap(({ integrationId }, at) => {
    const detail = describeUnknownIntegration(integrationId);
    return detail ? [{ pointer: `/integrationConfigs/${at}/integrationId`, detail }] : [];
  });

const selfReferences = (agentId: string, { subAgents }: RevisionContent): ValidationIssue[] =>
  subAgents.flatMap((subAgent, at) =>
    subAgent.agentId === agentId
      ? [{ pointer: `/subAgents/${at}/agentId`, detail: "must not be the agent itself" }]
      : [],
  );

const repeatedIds = (pointer: string, list: readonly { id: string }[]): ValidationIssue[] =>
  list.flatMap(({ id }, at) =>
    list.findIndex((other) => other.id === id) < at
      ? [{ pointer: `${pointer}/${at}/id`, detail: "is used twice" }]
      : [],
  );
