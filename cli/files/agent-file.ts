import * as z from "zod";
import { Agent, CreateAgentBody } from "../../lib/agents/agent/schemas.ts";
import { SentJobPolicy } from "../../lib/agents/job-policy/job-policy.ts";
import {
  CreateRevisionBody,
  RevisionConfig,
  RevisionConnector,
  SubAgentTool,
} from "../../lib/agents/revision/content.ts";
import { CacheMode, FallbackOn, maxFallbacks } from "../../lib/engine/models/llm-options.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { nullAs } from "../../lib/values/json/null-as.ts";

/** Extension of an agent's file. */
export const agentFileEnding = ".agent.yaml";

/** An id, or the name of exactly one resource of that kind. */
const reference = (kind: string) =>
  z
    .string()
    .min(1)
    .meta({ description: `Id or name of ${kind}.` });

const content = CreateRevisionBody.shape;

const model = {
  providerId: reference("a model provider"),
  parameters: z.record(z.string(), z.unknown()).nullish(),
};

const listSchema = <Item extends z.ZodType>(item: Item) => nullAs(z.array(item).max(200), []);

/** Members of connectors and job policies that the service sets. */
export const served = {
  agentId: true,
  agentRevision: true,
  createdAt: true,
  modifiedAt: true,
} as const;

/** An agent's file: the agent's own members, and those of a revision with references by id or name. */
export const AgentFile = z
  .object({
    $schema: z.string().optional().meta({ description: "Address of this schema." }),
    id: ChosenId.optional().meta({
      description: "The agent's id; the name of the file by default.",
    }),
    displayName: Agent.shape.displayName.optional().meta({
      description: "The agent's name; its id by default.",
    }),
    description: CreateAgentBody.shape.description,
    avatarFileId: CreateAgentBody.shape.avatarFileId,
    comment: content.comment.meta({
      description: "Describes the revision. A change of the comment alone makes no revision.",
    }),
    parametersMetadata: content.parametersMetadata,
    llmConfigs: listSchema(
      z.object({
        ...model,
        fallbacks: z.array(z.object(model)).max(maxFallbacks).nullish(),
        fallbackOn: FallbackOn.nullish(),
        cache: CacheMode.nullish(),
      }),
    ),
    subAgents: listSchema(SubAgentTool.extend({ agentId: reference("an agent") })),
    integrationConfigs: listSchema(
      RevisionConfig.extend({ id: reference("an integration config") }),
    ),
    connectors: listSchema(RevisionConnector.omit(served)),
    assets: content.assets,
    useSession: content.useSession,
    sessionPolicy: content.sessionPolicy,
    guardrails: content.guardrails,
    flow: content.flow,
    jobPolicyConfigs: listSchema(SentJobPolicy.omit({ ...served, tenantId: true })),
  })
  .meta({ id: "AgentFile", title: "Wharf agent", description: "docs/agents-as-files.md" });

/** Members of a file that belong to the agent rather than to a revision. */
export const agentMembers = ["displayName", "description", "avatarFileId"] as const;

/** Members of a file that no request contains. */
export const fileMembers = ["$schema", "id"] as const;
