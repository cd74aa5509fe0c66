import * as z from "zod";

/*
 * Calls a server of the official conformance suite as the product's client: its address is the last argument. Lists the server's
 * tools through a config of `mcp`, and runs the one that adds numbers, if there is one.
 */

const { WHARF_TENANT_URL = "", WHARF_TOKEN = "" } = process.env;

const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const response = await fetch(`${WHARF_TENANT_URL}${path}`, {
    method,
    headers: { Authorization: `Bearer ${WHARF_TOKEN}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
};

const { id: configId } = z.object({ id: z.string() }).parse(
  await send("POST", "/integration-configs", {
    integrationId: "mcp",
    parameters: { url: process.argv.at(-1) },
  }),
);
await send("POST", `/integration-configs/${configId}:publish`);
const { items } = z
  .object({ items: z.array(z.looseObject({ id: z.string() })) })
  .parse(await send("GET", `/integrations/mcp/tools?configId=${configId}`));
const adding = items.find(({ id }) => id === "add_numbers");
if (adding) {
  const parameters = { a: "5", b: "3" };
  console.log(
    await send("POST", "/integrations/mcp/tools/add_numbers:run", { configId, parameters }),
  );
}
