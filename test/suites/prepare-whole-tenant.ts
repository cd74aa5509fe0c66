import { randomBytes, randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import * as z from "zod";
import { routes } from "../../functions/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import { formatResponseId } from "../../lib/openai/ids.ts";
import type { newOrganization } from "../harness/api.ts";
import { prepareAccessRequest } from "./prepare-access-request.ts";
import { prepareApproval } from "./prepare-approval.ts";
import { prepareAsset } from "./prepare-asset.ts";
import { prepareConnection } from "./prepare-connection.ts";
import { prepareConnector } from "./prepare-connector.ts";
import { prepareDataset } from "./prepare-dataset.ts";
import { prepareEventDestination } from "./prepare-event-destination.ts";
import { prepareGuardrail } from "./prepare-guardrail.ts";
import { prepareIntegrationConfig } from "./prepare-integration-config.ts";
import { prepareMcp } from "./prepare-mcp.ts";
import { prepareMemory } from "./prepare-memory.ts";
import { prepareOnlineEvaluation } from "./prepare-online-evaluation.ts";
import { prepareScorer } from "./prepare-scorer.ts";
import { prepareSkill } from "./prepare-skill.ts";
import { prepareWebhook } from "./prepare-webhook.ts";
import { sampleParams } from "./sample-request.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Created = z.object({ id: z.string() });
const Executed = z.object({ executionId: z.string() });
const Status = z.object({ status: z.string() });

const findRow = (operation: string): Route => {
  const row = routes.find((route) => route.operation === operation);
  if (!row) throw new Error(`there is no row ${operation}`);
  return row;
};

/** More than an item of the table has room for, in letters that cannot be compressed to less. */
const long = randomBytes(300_000).toString("base64");

const policy = { id: randomUUID(), scheduleFrequency: "hourly", scheduleMinute: "5", prompt: "Hi" };

/** Creates a resource of every kind in a tenant; returns the path parameters of all its `GET` rows. */
export const prepareWholeTenant = async (own: Organization): Promise<Record<string, string>> => {
  const params: Record<string, string> = {
    ...Object.assign({}, ...routes.map(sampleParams)),
    tenant: own.slug,
    agent: "hello",
    revision: "1",
    integration: "system",
    llmProvider: "our-models",
  };
  await own.send("POST", "/llm-providers", {
    id: "our-models",
    type: "openai-compatible",
    baseUrl: "https://models.example.com/v1",
    apiKey: "the-key-of-the-provider",
  });
  const generated = await own.send("POST", "/apiKeys:generate", { name: "a", preset: "Runner" });
  params.apiKey = Created.parse(generated.body).id;
  await own.deployAgent("hello", {
    parametersMetadata: [
      { name: "name", type: "String" },
      { name: "prompt", type: "String" },
      { name: "pin", type: "String", secret: true },
      { name: "note", type: "File" },
    ],
    flow: { steps: [{ id: "answer", type: "Output", value: "{% input.name %}" }], edges: [] },
    jobPolicyConfigs: [policy],
    useSession: true,
  });
  await own.send("PUT", "/agents/hello/budget", { amount: 50 });
  await own.send("PUT", `/agents/hello/collaborators/${params.user}`, { role: "Viewer" });
  const stored = await own.send("POST", "/files?name=note.json", { text: "Hello" });
  params.file = Created.parse(stored.body).id;
  const named = { name: "Ada", pin: "1234", note: { fileId: params.file } };
  for (const input of [named, { name: long }]) {
    const body = { input, session: { id: params.session } };
    const executed = await own.send("POST", "/agents/hello:execute", body);
    params.executionRecord = Executed.parse(executed.body).executionId;
  }
  const run = { agentId: "hello", executionId: params.executionRecord ?? "" };
  params.response = formatResponseId(run);
  params.task = run.executionId;
  const score = { id: "mine", name: "helpful", value: 1 };
  await own.send("POST", `/agents/hello/execution-records/${params.executionRecord}/scores`, score);
  await prepareSkill(own, findRow("get-skill"));
  await prepareGuardrail(own, findRow("get-guardrail"));
  await prepareScorer(own, findRow("get-scorer"));
  await prepareDataset(own, findRow("get-example"));
  Object.assign(params, {
    ...(await prepareWebhook(own, findRow("get-delivery"))),
    ...(await prepareEventDestination(own, findRow("get-event-destination"))),
    ...(await prepareConnector(own, findRow("get-connector"))),
    ...(await prepareAccessRequest(own, findRow("get-access-request"))),
    ...(await prepareMcp(own, findRow("call-mcp"))),
    ...(await prepareIntegrationConfig(own, findRow("rotate-mcp-key"))),
    ...(await prepareAsset(own, findRow("get-document"))),
    ...(await prepareExperiment(own, params)),
    ...(await prepareDecision(own)),
    ...(await prepareConnection(own, findRow("get-connection"))).params,
  });
  await prepareMemory(own, findRow("delete-memory"));
  await prepareOnlineEvaluation(own, findRow("get-online-evaluation"));
  await waitForDocument(own, params);
  return params;
};

/** An experiment that has ended. */
const prepareExperiment = async (
  own: Organization,
  { dataset, scorer }: Record<string, string>,
): Promise<Record<string, string>> => {
  const body = { datasetId: dataset, agentId: "hello", revisions: [1], scorers: [scorer] };
  const { id: experiment } = Created.parse((await own.send("POST", "/experiments", body)).body);
  await waitFor(own, `/experiments/${experiment}`, "Succeeded");
  return { experiment };
};

const Approval = z.object({ agentId: z.string(), executionId: z.string() });

/** An approval that was decided, and its execution has ended. */
const prepareDecision = async (own: Organization): Promise<Record<string, string>> => {
  const params = await prepareApproval(own, findRow("decide-approval"));
  const path = `/approvals/${params.approval}`;
  const { agentId, executionId } = Approval.parse((await own.send("GET", path)).body);
  await own.send("POST", `${path}:decide`, { action: "approve" });
  await waitFor(own, `/agents/${agentId}/execution-records/${executionId}`, "Succeeded");
  return params;
};

const waitForDocument = (own: Organization, { asset, document }: Record<string, string>) =>
  waitFor(own, `/assets/${asset}/documents/${document}`, "Indexed");

const waitFor = (own: Organization, path: string, wanted: string) =>
  vi.waitFor(
    async () => {
      const { status } = Status.parse((await own.send("GET", path)).body);
      expect(status).toBe(wanted);
    },
    { timeout: 20_000 },
  );
