import * as z from "zod";
import { cancelA2aTask, followA2aTask, subscribeToA2aTask } from "../../functions/a2a/routes.ts";
import { putCollaborator } from "../../functions/collaborators/routes.ts";
import { cancelExecution } from "../../functions/executions/routes.ts";
import { cancelResponse } from "../../functions/openai/routes.ts";
import { getSession } from "../../functions/sessions/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";
import { sampleParams } from "./sample-request.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

/** A step that completes immediately, and one that waits for a minute before its retry. */
const done = { id: "answer", type: "Output", value: "{% input.name %}" };
const waiting = {
  id: "answer",
  type: "Transform",
  value: "{% $error('not yet') %}",
  retry: { maxAttempts: 2, backoffSeconds: 60, on: ["execution-failed"] },
};

const Executed = z.object({ executionId: z.string() });

/** Rows for executions that have not ended. */
const ofRunning: readonly string[] = [
  cancelExecution,
  cancelResponse,
  cancelA2aTask,
  followA2aTask,
  subscribeToA2aTask,
].map(({ operation }) => operation);

/** Groups of rows that need an agent that is not in their paths. */
const ofAgents: readonly string[] = ["webhooks", "connectors", "openai"];

/**
 * Creates the agent `hello` with a deployed revision 1, and what the row needs: a budget, a collaborator, a session or
 * an execution, still running for the rows that need it so.
 */
export const prepareAgent = async (
  own: Organization,
  row: Route,
): Promise<Record<string, string>> => {
  if (!row.path.includes("{agent}") && !ofAgents.includes(row.group)) return {};
  const isRunning = ofRunning.includes(row.operation);
  await own.deployAgent("hello", {
    parametersMetadata: [{ name: "name", type: "String" }],
    flow: { steps: [isRunning ? waiting : done], edges: [] },
    useSession: row.group === "sessions",
  });
  if (row.group === "sessions") {
    const session = { id: sampleParams(getSession).session };
    await own.send("POST", "/agents/hello:execute", { input: {}, session });
  }
  if (row.group === "budgets") await own.send("PUT", "/agents/hello/budget", { amount: 50 });
  if (row.group === "collaborators") {
    const { user } = sampleParams(putCollaborator);
    await own.send("PUT", `/agents/hello/collaborators/${user}`, { role: "Viewer" });
  }
  if (!row.path.includes("{executionRecord}")) return {};
  const executed = await own.try("POST", "/agents/hello:execute", {
    body: { input: {} },
    ...(isRunning && { headers: { Prefer: "respond-async" } }),
  });
  return { executionRecord: Executed.parse(executed.body).executionId };
};
