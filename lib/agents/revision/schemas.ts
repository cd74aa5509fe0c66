import * as z from "zod";
import { nullAs, optionalFlag, optionalText, optionalWhole } from "../../json/null-as.ts";
import { ParameterDescriptor } from "../../json/parameters.ts";
import { RevisionAsset } from "../../knowledge/asset/schemas.ts";
import { ChosenId, Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageOf } from "../../platform/http/paging.ts";
import { refuseUnknown } from "../../platform/http/unknown-members.ts";
import { JobPolicy, SentJobPolicy } from "../schedule/job-policy.ts";

/** A deployment updates each sub-agent in one transaction of at most 100 writes. */
const maxSubAgents = 40;

const text = optionalText;
const flag = optionalFlag;
const whole = optionalWhole;
const object = nullAs(z.record(z.string(), z.unknown()), {});
const listOf = <Item extends z.ZodType>(item: Item, most = 200) =>
  nullAs(z.array(item).max(most), []);

/** Steps and edges as they were sent; `lib/engine/flow` validates them. */
export const FlowDocument = refuseUnknown(
  z
    .object({
      steps: z.array(z.unknown()),
      edges: z.array(z.object({ source: z.string(), target: z.string() })).max(2_000),
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
    authSettings: nullAs(z.object({ supportsOAuth: flag, oAuth: listOf(z.unknown()) }), {
      supportsOAuth: false,
      oAuth: [],
    }),
    flow,
    parametersMetadata: listOf(ParameterDescriptor),
    useSession: flag,
    avatarFileId: text,
  })
  .meta({ id: "SubAgentTool" });

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
export const IntegrationConfig = z
  .object({
    id: Uuid,
    integrationId: z.string().min(1),
    displayName: text,
    parameters: object,
    auth: z
      .object({
        integrationAuthMetadataId: text,
        parameters: nullAs(z.record(z.string(), z.string()), {}).meta({
          description:
            "Stored encrypted and shown as ********. Send ******** to keep the stored value.",
        }),
      })
      .nullable()
      .default(null),
    authMap: listOf(z.unknown()),
  })
  .meta({ id: "RevisionIntegrationConfig" });

const LlmConfig = refuseUnknown(
  z
    .object({ providerId: ChosenId, parameters: object })
    .meta({ id: "LlmConfig", example: { providerId: "echo", parameters: {} } }),
);

const content = {
  comment: z.string().max(4_000).nullable().default(null),
  parametersMetadata: listOf(ParameterDescriptor),
  subAgents: listOf(SubAgentTool, maxSubAgents),
  flow,
  connectors: listOf(RevisionConnector),
  integrationConfigs: listOf(IntegrationConfig),
  llmConfigs: listOf(LlmConfig),
  assets: listOf(RevisionAsset),
  jobPolicyConfigs: listOf(JobPolicy),
  useSession: flag,
};

/** Content of a revision. */
export const RevisionContent = z.object(content);
export type RevisionContent = z.output<typeof RevisionContent>;

/** Request body that creates a revision; all members are optional. */
export const CreateRevisionBody = z
  .object({ ...content, flow: sentFlow, jobPolicyConfigs: listOf(SentJobPolicy) })
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

/** Revision number in a path. */
export const RevisionNumber = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, "must be a revision number")
  .transform(Number)
  .meta({
    description: "Revision number.",
    override: { type: "integer", minimum: 1 },
    example: "1",
  });

/** Public representation of a revision. */
export const Revision = z
  .object({ agentId: ChosenId, agentRevision: z.int(), ...content })
  .meta({ id: "Revision" });
export type Revision = z.output<typeof Revision>;

const versions = {
  skills: z
    .array(z.object({ id: z.string(), modifiedAt: Timestamp.nullable() }))
    .meta({ description: "Skills of its flow; `modifiedAt` is null for one that did not exist." }),
  integrationConfigs: z
    .array(z.object({ id: z.string(), revision: z.int().nullable() }))
    .meta({ description: "Integration configs of its flow, in their revision." }),
};

/** What a revision met when it was deployed. */
export const DeployedVersions = z.object(versions).meta({ id: "DeployedVersions" });
export type DeployedVersions = z.output<typeof DeployedVersions>;

/** What a revision met in the experiment that its deployment required. */
export const TestedVersions = z
  .object({ experimentId: Uuid, ...versions })
  .meta({ id: "TestedVersions" });
export type TestedVersions = z.output<typeof TestedVersions>;

/** Request body that deploys a revision, optional. */
export const DeployRevisionBody = z
  .object({
    require: refuseUnknown(
      z
        .object({
          experimentId: Uuid,
          minimum: z
            .record(ChosenId, z.number())
            .refine((minimum) => Object.keys(minimum).length > 0, "must name a scorer")
            .meta({
              description: "Lowest mean of the revision by scorer.",
              example: { correct: 0.9 },
            }),
        })
        .meta({
          id: "RequiredResults",
          description: "Refuses the deployment (409) unless the revision reached these means.",
        }),
    ).nullish(),
  })
  .default({})
  .meta({ id: "DeployRevisionBody", example: {} });
export type DeployRevisionBody = z.output<typeof DeployRevisionBody>;

/** A revision in a list. */
export const RevisionSummary = z
  .object({
    agentRevision: z.int(),
    comment: z.string().nullable(),
    createdAt: Timestamp,
    createdBy: z.string().meta({ description: "Id of the user or API key." }),
    deployedAt: Timestamp.nullable(),
    deployedBy: z.string().nullable().meta({ description: "Id of the user or API key." }),
    deployedWith: DeployedVersions.nullable().default(null).meta({
      description: "Versions at its last deployment; null before, and of earlier releases.",
    }),
    testedWith: TestedVersions.nullable().default(null).meta({
      description: "Versions in the experiment that a deployment required last; null without one.",
    }),
  })
  .meta({ id: "RevisionSummary" });
export type RevisionSummary = z.output<typeof RevisionSummary>;

/** A page of revisions, newest first. */
export const RevisionPage = pageOf(RevisionSummary, "RevisionPage");

/** Revision number in a path, or `*` for all revisions. */
export const RevisionOrAll = z
  .string()
  .regex(/^(?:[1-9]\d{0,9}|\*)$/, "must be a revision number, or * for all revisions")
  .transform((value): number | "*" => (value === "*" ? "*" : Number(value)))
  .meta({ description: "Revision number, or `*` for all revisions.", example: "1" });

/** A revision in an agent's history. */
export const HistoryItem = z
  .object({
    agentId: ChosenId,
    agentRevision: z.int(),
    comment: z.string().nullable(),
    createdAt: Timestamp,
    createdBy: z.string().meta({ description: "Id of the user or API key." }),
  })
  .meta({ id: "HistoryItem" });

/** A page of an agent's history, oldest first. */
export const HistoryPage = pageOf(HistoryItem, "HistoryPage");

const count = z.int();
const dollars = z.number().meta({ description: "US dollars." });

/** Cost of a revision's executions; `revision` 0 is the sum of all revisions. */
export const RevisionCost = z
  .object({
    agentId: ChosenId,
    revision: z.int(),
    inputCost: dollars,
    outputCost: dollars,
    totalCost: dollars,
    executionCount: count,
    inputTokens: count,
    outputTokens: count,
  })
  .meta({ id: "RevisionCost" });
export type RevisionCost = z.output<typeof RevisionCost>;

/** Usage of one model; `revision` 0 is the sum of all revisions. */
export const ModelUsageEntry = z
  .object({
    revision: z.int(),
    modelId: z.string(),
    providerId: z.string(),
    inputTokens: count,
    outputTokens: count,
    cachedTokens: count,
    thinkingTokens: count,
    executionCount: count,
    inputCost: dollars,
    outputCost: dollars,
    totalCost: dollars,
  })
  .meta({ id: "ModelUsageEntry" });
export type ModelUsageEntry = z.output<typeof ModelUsageEntry>;

/** One entry per provider and model, by cost descending. */
export const ModelUsageList = z.array(ModelUsageEntry).meta({ id: "ModelUsageList" });
