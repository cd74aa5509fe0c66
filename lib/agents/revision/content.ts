import * as z from "zod";
import { Edge } from "../../engine/flow/edge.ts";
import { CacheMode, FallbackOn, maxFallbacks } from "../../engine/models/llm-options.ts";
import { RevisionAsset } from "../../knowledge/asset/schemas.ts";
import { ChosenId, Uuid } from "../../platform/http/ids.ts";
import { refuseUnknown } from "../../platform/http/unknown-members.ts";
import { limitedRecord } from "../../values/json/limited-record.ts";
import { nullAs, optionalFlag, optionalText, optionalWhole } from "../../values/json/null-as.ts";
import { ParameterDescriptor } from "../../values/json/parameters.ts";
import { JobPolicy, SentJobPolicy } from "../job-policy/job-policy.ts";
import { SessionPolicy } from "./session-policy.ts";

/** A deployment updates each sub-agent in one transaction of at most 100 writes. */
const maxSubAgents = 40;

/** More than fit in the stored credentials of a revision. */
const maxCredentials = 6_144;

const text = optionalText;
const flag = optionalFlag;
const whole = optionalWhole;
const object = nullAs(z.record(z.string(), z.unknown()), {});
const nullableList = <Item extends z.ZodType>(item: Item, most = 200) =>
  nullAs(z.array(item).max(most), []);

/** Steps and edges as they were sent; `lib/engine/flow` validates them. */
export const FlowDocument = refuseUnknown(
  z
    .object({
      steps: z.array(z.unknown()),
      edges: z.array(Edge).max(2_000),
    })
    .meta({
      id: "Flow",
      description:
        "Steps, and edges between them: the target of an edge waits for its source. See docs/flows.md.",
      example: {
        steps: [{ id: "answer", type: "Output", value: "Hello, {% input.name %}!" }],
        edges: [],
      },
    }),
);

const flow = nullAs(FlowDocument, { steps: [], edges: [] });

const noFlow = { steps: [], edges: [] };

/** A flow that is sent has a step; a revision without a flow is a draft. */
const sentFlow = z.preprocess(
  (value) => value ?? undefined,
  refuseUnknown(
    FlowDocument.extend({ steps: z.array(z.unknown()).min(1) }).meta({ id: "SentFlow" }),
  ).default(noFlow),
);

/** A sub-agent that a revision offers to its Prompts. */
export const SubAgentTool = z
  .object({
    id: z.string().min(1),
    slug: text,
    integrationId: text,
    agentId: ChosenId,
    displayName: text,
    description: text,
    toolType: text,
    actionType: text,
    resultType: text,
    authSettings: nullAs(z.object({ supportsOAuth: flag, oAuth: nullableList(z.unknown()) }), {
      supportsOAuth: false,
      oAuth: [],
    }),
    flow,
    parametersMetadata: nullableList(ParameterDescriptor),
    useSession: flag,
    avatarFileId: text,
  })
  .meta({ id: "SubAgentTool" });
export type SubAgentTool = z.output<typeof SubAgentTool>;

/** Members of a sub-agent that the service completes from its agent. */
export const completedMembers = [
  "slug",
  "integrationId",
  "displayName",
  "description",
  "toolType",
  "actionType",
  "resultType",
  "parametersMetadata",
  "useSession",
  "avatarFileId",
] as const;
export type CompletedMember = (typeof completedMembers)[number];

/** A sub-agent as stored, with the names of the members that the service completed. */
const StoredSubAgent = SubAgentTool.extend({
  completed: z.array(z.enum(completedMembers)).default([]),
}).meta({ id: "StoredSubAgent" });
export type StoredSubAgent = z.output<typeof StoredSubAgent>;

/** A connector of a revision. */
export const RevisionConnector = z
  .object({
    id: Uuid,
    name: text,
    agentId: text,
    agentRevision: whole,
    provider: z.string().min(1),
    parameters: object,
    active: flag,
    policy: z.enum(["AllowAll", "RequireApproval", "DenyAll"]).default("AllowAll"),
    onBoardingMessage: text,
    createdAt: whole,
    modifiedAt: whole,
  })
  .meta({ id: "RevisionConnector" });

/** An integration config of a revision, with its credentials masked. */
export const RevisionConfig = z
  .object({
    id: Uuid,
    integrationId: z.string().min(1),
    displayName: text,
    parameters: object,
    auth: z
      .object({
        integrationAuthMetadataId: text,
        parameters: nullAs(limitedRecord(z.string(), z.string(), maxCredentials), {}).meta({
          description:
            "Stored encrypted and shown as ********. Send ******** to keep the stored value.",
        }),
      })
      .nullable()
      .default(null),
    authMap: nullableList(z.unknown()),
  })
  .meta({ id: "RevisionIntegrationConfig" });

const modelReference = { providerId: ChosenId, parameters: object };

const LlmConfig = refuseUnknown(
  z
    .object({
      ...modelReference,
      fallbacks: z
        .array(z.object(modelReference).meta({ id: "LlmFallback" }))
        .max(maxFallbacks)
        .nullish()
        .meta({ description: "Models that are called when the first one fails, in this order." }),
      fallbackOn: FallbackOn.nullish(),
      cache: CacheMode.nullish(),
    })
    .meta({ id: "LlmConfig", example: { providerId: "echo", parameters: {} } }),
);

/** Members of a revision's content. */
export const contentMembers = {
  comment: z.string().max(4_000).nullable().default(null),
  parametersMetadata: nullableList(ParameterDescriptor),
  subAgents: nullableList(SubAgentTool, maxSubAgents),
  flow,
  connectors: nullableList(RevisionConnector),
  integrationConfigs: nullableList(RevisionConfig),
  llmConfigs: nullableList(LlmConfig),
  assets: nullableList(RevisionAsset),
  jobPolicyConfigs: nullableList(JobPolicy),
  useSession: flag,
  sessionPolicy: SessionPolicy.nullable().default(null),
  guardrails: nullableList(ChosenId, 20).meta({
    description: "Ids of guardrails, applied in their order after those of the tenant.",
  }),
};

/** Content of a revision, as stored. */
export const RevisionContent = z.object({
  ...contentMembers,
  subAgents: nullableList(StoredSubAgent, maxSubAgents),
});
export type RevisionContent = z.output<typeof RevisionContent>;

/** Request body that creates a revision; all members are optional. */
export const CreateRevisionBody = z
  .object({ ...contentMembers, flow: sentFlow, jobPolicyConfigs: nullableList(SentJobPolicy) })
  .meta({
    id: "CreateRevisionBody",
    example: {
      comment: "Greets by name",
      parametersMetadata: [{ name: "name", type: "String", required: true }],
      flow: {
        steps: [{ id: "answer", type: "Output", value: "Hello, {% input.name %}!" }],
        edges: [],
      },
    },
  });
export type CreateRevisionBody = z.output<typeof CreateRevisionBody>;
