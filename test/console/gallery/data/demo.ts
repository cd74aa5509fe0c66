import { createClient, type WharfClient } from "../../../../client/client.ts";
import { connectToTable } from "../../../harness/connect-table.ts";
import type { LocalStackClient } from "../../../harness/local-stack.ts";
import { startModelServer } from "../../../harness/model-server.ts";
import { createAgents } from "./agents.ts";
import { createApprovals } from "./approvals.ts";
import { createChats } from "./chats.ts";
import { createDatasets } from "./datasets.ts";
import { createEvaluation } from "./evaluation.ts";
import { createFiles } from "./files.ts";
import { createGuardrails } from "./guardrails.ts";
import { writeHistory } from "./history.ts";
import { createKeys } from "./keys.ts";
import { createKnowledge } from "./knowledge.ts";
import { createModels } from "./models.ts";
import { createSessions } from "./sessions.ts";
import { createTools } from "./tools.ts";
import { createWebhooks } from "./webhooks.ts";

/** Names of the created resources, which addresses of pages contain. */
export type DemoNames = Awaited<ReturnType<typeof createDemo>>["names"];

/** Clients and names that create the parts of the demonstration. */
export type DemoContext = { client: WharfClient; path: { tenant: string }; baseUrl: string };

const tenant = "demo";

/** Fills the tenant `demo` with what a team has after some weeks. */
export const createDemo = async (stack: LocalStackClient) => {
  const models = await startModelServer({
    fallback: { text: "Thank you for the report. We are on it.", usage: answerUsage },
  });
  const slowModels = await startModelServer({ fallback: { fault: "hang" } });
  const createUser = async (user: string): Promise<WharfClient> => {
    const token = await stack.token({ org: "local", role: "admin", user });
    return createClient({ baseUrl: stack.baseUrl, credentials: () => ({ token }) });
  };
  const client = await createUser("ada@acme.example");
  const context: DemoContext = { client, path: { tenant }, baseUrl: stack.baseUrl };

  await createModels(context, { url: models.url, slowUrl: slowModels.url });
  await createGuardrails(context);
  const [tools, keys] = await Promise.all([createTools(context), createKeys(context)]);
  const executions = await createAgents(context);
  const files = await createFiles(context);
  const sessions = await createSessions(context, models);
  const approvals = await createApprovals(context, await createUser("grace@acme.example"));
  const webhooks = await createWebhooks(context, keys.inbound);
  const chats = await createChats(context, keys.inbound);
  const knowledge = await createKnowledge(context, webhooks.webhook);
  await createDatasets(context, executions);
  const evaluation = await createEvaluation(context);
  const { data } = await client.GET("/v1/tenants/{tenant}", { params: { path: { tenant } } });
  await writeHistory(connectToTable(stack), data?.id ?? "");
  return {
    names: {
      tenant,
      ...tools,
      key: keys.history,
      ...executions,
      ...files,
      ...approvals,
      ...sessions,
      ...webhooks,
      ...chats,
      ...evaluation,
    },
    close: () => Promise.all([models.close(), slowModels.close(), knowledge.close()]),
  };
};

const answerUsage = { inputTokens: 1_840, outputTokens: 212, cachedTokens: 640, thinkingTokens: 0 };
