import * as z from "zod";
import { AgentItem, getAgent } from "../agents/agent/store.ts";
import { RevisionContent } from "../agents/revision/content.ts";
import { getRevisionContent } from "../agents/revision/store.ts";
import { findTextInput } from "../openai/build-body.ts";
import type { Database } from "../platform/db/database.ts";
import { type ObjectStore, unpackValue } from "../platform/db/large-value.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { conflict, notFound } from "../platform/http/problems.ts";
import type { ReadAgent } from "../tenancy/tenant/context.ts";
import { jsonType, textType } from "./output-modes.ts";
import { a2aVersion } from "./schemas.ts";

const AgentInterface = z.object({
  url: z.string(),
  protocolBinding: z.enum(["JSONRPC", "HTTP+JSON"]),
  protocolVersion: z.literal(a2aVersion),
});

const AgentSkill = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  inputModes: z.array(z.string()),
  outputModes: z.array(z.string()),
});

/** Description of an agent for A2A clients. */
export const AgentCard = z
  .object({
    name: z.string(),
    description: z.string(),
    version: z.string().meta({ description: "The deployed revision." }),
    supportedInterfaces: z.array(AgentInterface),
    capabilities: z.object({
      streaming: z.literal(true),
      pushNotifications: z.literal(false),
      extendedAgentCard: z.literal(false),
    }),
    securitySchemes: z.record(z.string(), z.unknown()),
    securityRequirements: z.array(z.unknown()),
    defaultInputModes: z.array(z.string()),
    defaultOutputModes: z.array(z.string()),
    skills: z.array(AgentSkill),
  })
  .meta({ id: "A2aAgentCard" });
export type AgentCard = z.output<typeof AgentCard>;

const securitySchemes = {
  bearer: {
    httpAuthSecurityScheme: {
      scheme: "Bearer",
      description: "An API key with agents:execute, or a user token.",
    },
  },
  apiKey: {
    apiKeySecurityScheme: {
      location: "header",
      name: "X-API-KEY",
      description: "An API key with agents:execute.",
    },
  },
};

const securityRequirements = Object.keys(securitySchemes).map((name) => ({
  schemes: { [name]: { list: [] } },
}));

/** Builds the card of an agent's deployed revision. Throws 404, and 409 without one. */
export const buildAgentCard = async (
  { db, objects }: { db: Database; objects: ObjectStore },
  {
    tenantId,
    agentId,
    url,
    readAgent,
  }: { tenantId: TenantId; agentId: string; url: string; readAgent: ReadAgent | undefined },
): Promise<AgentCard> => {
  const agent = readAgent
    ? AgentItem.optional().parse(readAgent.item)
    : await getAgent(db, tenantId, agentId);
  if (!agent) throw notFound("agent", agentId);
  const { displayName: name, description, deployedRevision } = agent;
  if (deployedRevision === null) {
    throw conflict(`The agent "${agentId}" has no deployed revision. Deploy one first.`);
  }
  const item = await getRevisionContent(db, tenantId, agentId, deployedRevision);
  if (!item) throw notFound("revision", `${agentId}/${deployedRevision}`);
  const content = RevisionContent.parse(await unpackValue(item.content, objects));
  const takesText = findTextInput(content.parametersMetadata) !== undefined;
  const forms = takesText ? [textType, jsonType] : [jsonType, textType];
  const modes = {
    inputModes: [...new Set([...forms, ...listFileTypes(content)])],
    outputModes: [textType, jsonType],
  };
  const about = description ?? name;
  return {
    name,
    description: about,
    version: String(deployedRevision),
    supportedInterfaces: (["JSONRPC", "HTTP+JSON"] as const).map((protocolBinding) => ({
      url,
      protocolBinding,
      protocolVersion: a2aVersion,
    })),
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    securitySchemes,
    securityRequirements,
    defaultInputModes: modes.inputModes,
    defaultOutputModes: modes.outputModes,
    skills: [
      {
        id: agent.id,
        name,
        description: [about, ...describeInputs(content)].join("\n"),
        tags: ["agent"],
        ...modes,
      },
    ],
  };
};

/** Returns the media types that the inputs of the type File accept. */
const listFileTypes = ({ parametersMetadata }: RevisionContent): string[] =>
  parametersMetadata.flatMap(({ type, accept }) => {
    if (type !== "File") return [];
    return accept?.length ? accept.map((pattern) => pattern.toLowerCase()) : ["*/*"];
  });

/** Describes the inputs of an agent, for a client that sends them as data. */
const describeInputs = ({ parametersMetadata }: RevisionContent): string[] => {
  const taken = findTextInput(parametersMetadata)?.name;
  const lines = parametersMetadata.map(({ name, type, required, description, accept }) => {
    const notes = [
      type,
      ...(type === "File" && accept ? accept : []),
      ...(required ? ["required"] : []),
      ...(name === taken ? ["text"] : []),
    ];
    return `- ${name} (${notes.join(", ")})${description ? `: ${description}` : ""}`;
  });
  return lines.length > 0
    ? ["Inputs, as text, as members of a data part, or as files:", ...lines]
    : [];
};
