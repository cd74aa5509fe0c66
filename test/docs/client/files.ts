import { createClient, startExecution, uploadFile } from "../../../client/index.ts";

const { WHARF_URL: baseUrl = "", WHARF_TENANT: tenant = "" } = process.env;
const apiKey = process.env.WHARF_API_KEY ?? "";
const client = createClient({ baseUrl, credentials: () => ({ apiKey }) });

const content = new Blob(["Lamps,3\nDesks,1\n"]);
const file = await uploadFile(client, { tenant, name: "order.csv", content });
console.log(file.mediaType, file.bytes);

const input = { order: { fileId: file.id } };
const { output } = await startExecution(client, { tenant, agent: "describe", body: { input } });
console.log(output);
