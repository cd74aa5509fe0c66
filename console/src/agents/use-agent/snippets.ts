import type { ParameterDescriptor } from "../../../../client/openapi.ts";

/** Parts of a call of an agent. */
export type AgentCall = {
  /** Address of the API. */
  origin: string;
  tenant: string;
  agent: string;
  input: Readonly<Record<string, unknown>>;
};

/** A way to call an agent from a program. The programs read the key from the environment. */
export type Snippet = { label: string; code: string };

/** Builds an input to call an agent with: its required parameters, or else its first one. */
export const buildSampleInput = (
  parameters: readonly ParameterDescriptor[],
): Record<string, unknown> => {
  const required = parameters.filter((parameter) => parameter.required && !parameter.defaultValue);
  const shown = required.length > 0 ? required : parameters.slice(0, 1);
  return Object.fromEntries(shown.map((parameter) => [parameter.name, sampleValue(parameter)]));
};

const sampleValue = ({ type, options, integerRange, floatRange }: ParameterDescriptor): unknown => {
  switch (type) {
    case "Integer":
      return integerRange?.min ?? 1;
    case "Float":
      return floatRange?.min ?? 1.5;
    case "Boolean":
      return true;
    case "Json":
      return {};
    case "Option": {
      const [first] = options ?? [];
      return typeof first === "object" && first !== null && "value" in first ? first.value : first;
    }
    default:
      return "…";
  }
};

/** Builds the calls of an agent with curl, and from programs. */
export const buildSnippets = ({ origin, tenant, agent, input }: AgentCall): Snippet[] => {
  const base = `${origin}/v1/tenants/${encodeURIComponent(tenant)}`;
  const url = `${base}/agents/${encodeURIComponent(agent)}:execute`;
  const [texts] = Object.values(input).filter((value) => typeof value === "string");
  const message = texts ?? JSON.stringify(input);
  const json = JSON.stringify(input);
  return [
    {
      label: "cURL",
      code: `curl -X POST ${quoteForShell(url)} \\
  -H "X-API-KEY: $WHARF_API_KEY" -H 'Content-Type: application/json' \\
  -d ${quoteForShell(JSON.stringify({ input }))}`,
    },
    {
      label: "TypeScript",
      code: `import { createClient, unwrapBody } from "@wharf/client";

const client = createClient({
  baseUrl: ${JSON.stringify(origin)},
  credentials: () => ({ apiKey: process.env.WHARF_API_KEY ?? "" }),
});
const { output } = await unwrapBody(
  client.POST("/v1/tenants/{tenant}/agents/{agent}:execute", {
    params: { path: { tenant: ${JSON.stringify(tenant)}, agent: ${JSON.stringify(agent)} } },
    body: { input: ${json} },
  }),
);
console.log(output);`,
    },
    {
      label: "Python",
      code: `import os, requests

response = requests.post(
    ${JSON.stringify(url)},
    headers={"X-API-KEY": os.environ["WHARF_API_KEY"]},
    json={"input": ${toPython(input)}},
    timeout=60,
)
response.raise_for_status()
print(response.json()["output"])`,
    },
    {
      label: "OpenAI",
      code: `import os
from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${base}/openai`)}, api_key=os.environ["WHARF_API_KEY"])
response = client.responses.create(model=${JSON.stringify(agent)}, input=${JSON.stringify(message)})
print(response.output_text)`,
    },
  ];
};

/** Quotes a text for a POSIX shell. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const toPython = (value: unknown): string => {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(toPython).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${toPython(member)}`).join(", ")}}`;
};

/** Builds the settings of an MCP client for a server. */
export const buildMcpSettings = (url: string, name: string, key: string): string =>
  JSON.stringify(
    { mcpServers: { [name]: { type: "http", url, headers: { "X-API-KEY": key } } } },
    null,
    2,
  );
