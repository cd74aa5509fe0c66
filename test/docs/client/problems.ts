import { createClient, ProblemError, startExecution } from "../../../client/index.ts";

const { WHARF_URL: baseUrl = "", WHARF_TENANT: tenant = "" } = process.env;
const apiKey = process.env.WHARF_API_KEY ?? "";
const client = createClient({ baseUrl, credentials: () => ({ apiKey }) });

try {
  await startExecution(client, { tenant, agent: "hello", body: { input: { name: 7 } } });
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  console.log(error.status, error.slug, error.fields);
  console.log(`Request ${error.requestId}`);
}
