import { createClient, streamExecution } from "../../../client/index.ts";

const { WHARF_URL: baseUrl = "", WHARF_TENANT: tenant = "" } = process.env;
const apiKey = process.env.WHARF_API_KEY ?? "";
const client = createClient({ baseUrl, credentials: () => ({ apiKey }) });

const execution = { tenant, agent: "hello", body: { input: { name: "Ada" } } };
for await (const event of streamExecution(client, execution)) {
  if (event.type === "step.completed") console.log(event.stepId, event.output);
  if (event.type === "execution.completed") console.log(event.execution.output);
  if (event.type === "execution.failed") console.error(event.problem.detail);
}
