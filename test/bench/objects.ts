import { createRequire } from "node:module";
import * as z from "zod";
import type { BenchStack } from "./stack.ts";

const Payload = z.record(z.string(), z.unknown());
const Examples = z.array(z.object({ name: z.string(), examples: z.array(Payload) }));

/** A push of 7.6 KB, from GitHub's documentation. */
export const githubPush: z.output<typeof Payload> | undefined = Examples.parse(
  createRequire(import.meta.url)("@octokit/webhooks-examples"),
)
  .find(({ name }) => name === "push")
  ?.examples.at(5);

const Created = z.object({ id: z.string(), signingSecret: z.string().nullish() });

/** Reads the id of a created object. */
export const parseId = (body: string): string => Created.parse(JSON.parse(body)).id;

/** Creates an agent and deploys a revision; returns its path. */
export const deployAgent = async (
  { send, tenantPath }: BenchStack,
  id: string,
  revision: object,
): Promise<string> => {
  const agents = `${tenantPath}/agents`;
  await send("POST", agents, { id, displayName: id });
  await send("POST", `${agents}/${id}/revisions`, revision);
  await send("POST", `${agents}/${id}/revisions/1:deploy`);
  return `${agents}/${id}`;
};

/** A webhook and its inbound path, with the key in it and with none, where the secret signs. */
export type BenchWebhook = { id: string; inbound: string; signed: string; secret: string };

/** Creates a webhook with `count` subscriptions of an agent. */
export const createWebhook = async (
  { send, tenantPath, apiKey }: BenchStack,
  provider: "generic" | "github",
  subscribers?: { agentId: string; count: number },
): Promise<BenchWebhook> => {
  const webhooks = `${tenantPath}/webhooks`;
  const created = await send("POST", webhooks, { provider });
  const { id, signingSecret } = Created.parse(JSON.parse(created));
  for (let at = 0; at < (subscribers?.count ?? 0); at += 1) {
    await send("POST", `${webhooks}/${id}/subscriptions`, {
      subscriberType: "Agent",
      subscriberId: subscribers?.agentId,
    });
  }
  const signed = `${webhooks}/${provider}/${id}`;
  return { id, inbound: `${signed}/${apiKey}`, signed, secret: signingSecret ?? "" };
};

/** Registers a service of models that is compatible with OpenAI's; returns its id. */
export const createProvider = async (
  { send, tenantPath }: BenchStack,
  origin: string,
): Promise<string> => {
  const provider = { type: "openai-compatible", baseUrl: `${origin}/v1`, apiKey: "sk-test" };
  const named = { id: "stand-in", displayName: "Stand-in", ...provider };
  return parseId(await send("POST", `${tenantPath}/llm-providers`, named));
};

/** Creates a guardrail with its checks. */
export const createGuardrail = async (
  { send, tenantPath }: BenchStack,
  id: string,
  checks: readonly object[],
): Promise<void> => {
  await send("POST", `${tenantPath}/guardrails`, { id, displayName: id, checks });
};

/** Creates a generic connector that replies to `replyUrl`; returns its inbound path, with the key in it. */
export const createConnector = async (
  { send, tenantPath, apiKey }: BenchStack,
  agentId: string,
  replyUrl: string,
): Promise<string> => {
  const created = await send("POST", `${tenantPath}/agents/${agentId}/connectors`, {
    provider: "generic",
    parameters: { replyUrl },
  });
  return `${tenantPath}/connectors/generic/${parseId(created)}/${apiKey}`;
};
