import type { ParameterDescriptor } from "../../../../client/openapi.ts";

/** Parts of a call of an agent. */
export type AgentCall = {
  /** Address of the API. */
  origin: string;
  tenant: string;
  agent: string;
  sample: SampleInput;
};

/** An input to call an agent with. Files in it have a mark in place of their ids. */
export type SampleInput = {
  input: Readonly<Record<string, unknown>>;
  files: readonly SampleFile[];
};

/** A file that a program uploads. `variable`: what it names the uploaded file. */
type SampleFile = { mark: string; fileName: string; isImage: boolean; variable: string };

/** A way to call an agent from a program. The programs read the key from the environment. */
export type Snippet = { label: string; code: string };

/** Builds an input to call an agent with: its required parameters, or else its first one. */
export const buildSampleInput = (parameters: readonly ParameterDescriptor[]): SampleInput => {
  const required = parameters.filter((parameter) => parameter.required && !parameter.defaultValue);
  const shown = required.length > 0 ? required : parameters.slice(0, 1);
  const files: SampleFile[] = [];
  const input: Record<string, unknown> = {};
  for (const parameter of shown) {
    const { name, type, multiple } = parameter;
    if (type !== "File") {
      input[name] = sampleValue(parameter);
      continue;
    }
    const file = createSampleFile(parameter, files.length + 1);
    files.push(file);
    const value = { fileId: file.mark };
    input[name] = multiple ? [value] : value;
  }
  return { input, files };
};

const fileNames: readonly (readonly [type: string, name: string])[] = [
  ["image/jpeg", "photo.jpg"],
  ["image/", "photo.png"],
  ["audio/", "recording.mp3"],
  ["text/csv", "table.csv"],
  ["text/", "notes.txt"],
  ["application/json", "data.json"],
];

const createSampleFile = ({ accept }: ParameterDescriptor, number: number): SampleFile => {
  const type = accept?.[0]?.toLowerCase() ?? "";
  const name = fileNames.find(([start]) => type.startsWith(start))?.[1] ?? "document.pdf";
  const suffix = number === 1 ? "" : String(number);
  return {
    mark: `@file${number}@`,
    fileName: number === 1 ? name : name.replace(".", `${number}.`),
    isImage: type.startsWith("image/"),
    variable: `file${suffix}`,
  };
};

/** Replaces the marks of files. */
const fillMarks = (
  code: string,
  files: readonly SampleFile[],
  fill: (file: SampleFile) => { mark: string; text: string },
): string =>
  files.reduce((before, file) => {
    const { mark, text } = fill(file);
    return before.replaceAll(mark, () => text);
  }, code);

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
export const buildSnippets = ({ origin, tenant, agent, sample }: AgentCall): Snippet[] => {
  const base = `${origin}/v1/tenants/${encodeURIComponent(tenant)}`;
  const call = { origin, base, tenant, agent, ...sample };
  return [
    { label: "cURL", code: buildCurl(call) },
    { label: "TypeScript", code: buildTypeScript(call) },
    { label: "Python", code: buildPython(call) },
    { label: "OpenAI", code: buildOpenAi(call) },
  ];
};

type Call = Omit<AgentCall, "sample"> & SampleInput & { base: string };

const octets = "Content-Type: application/octet-stream";

const buildCurl = ({ base, agent, input, files }: Call): string => {
  const url = `${base}/agents/${encodeURIComponent(agent)}:execute`;
  const uploads = files.map(
    ({
      variable,
      fileName,
    }) => `${variable.toUpperCase()}=$(curl -sS -X POST ${quoteForShell(`${base}/files?name=${fileName}`)} \\
  -H "X-API-KEY: $WHARF_API_KEY" -H '${octets}' \\
  --data-binary @${fileName} | sed -E 's/.*"id":"([^"]+)".*/\\1/')
`,
  );
  const body = fillMarks(quoteForShell(JSON.stringify({ input })), files, ({ mark, variable }) => ({
    mark,
    text: `'"$${variable.toUpperCase()}"'`,
  }));
  return `${uploads.join("")}curl -X POST ${quoteForShell(url)} \\
  -H "X-API-KEY: $WHARF_API_KEY" -H 'Content-Type: application/json' \\
  -d ${body}`;
};

const buildTypeScript = ({ origin, tenant, agent, input, files }: Call): string => {
  const imports = files.length > 0 ? 'import { openAsBlob } from "node:fs";\n' : "";
  const names = ["createClient", "unwrapBody", ...(files.length > 0 ? ["uploadFile"] : [])];
  const uploads = files.map(
    ({ variable, fileName }) => `const ${variable} = await uploadFile(client, {
  tenant: ${JSON.stringify(tenant)},
  name: ${JSON.stringify(fileName)},
  content: await openAsBlob(${JSON.stringify(fileName)}),
});
`,
  );
  const body = fillMarks(JSON.stringify(input), files, ({ mark, variable }) => ({
    mark: `"${mark}"`,
    text: `${variable}.id`,
  }));
  return `${imports}import { ${names.join(", ")} } from "@wharf/client";

const client = createClient({
  baseUrl: ${JSON.stringify(origin)},
  credentials: () => ({ apiKey: process.env.WHARF_API_KEY ?? "" }),
});
${uploads.join("")}const { output } = await unwrapBody(
  client.POST("/v1/tenants/{tenant}/agents/{agent}:execute", {
    params: { path: { tenant: ${JSON.stringify(tenant)}, agent: ${JSON.stringify(agent)} } },
    body: { input: ${body} },
  }),
);
console.log(output);`;
};

const buildPython = ({ base, agent, input, files }: Call): string => {
  const url = `${base}/agents/${encodeURIComponent(agent)}:execute`;
  const uploads = files.map(
    ({ variable, fileName }) => `with open(${JSON.stringify(fileName)}, "rb") as content:
    ${variable} = requests.post(
        ${JSON.stringify(`${base}/files`)},
        params={"name": ${JSON.stringify(fileName)}},
        headers={**headers, "Content-Type": "application/octet-stream"},
        data=content,
        timeout=60,
    )
${variable}.raise_for_status()
`,
  );
  const body = fillMarks(toPython(input), files, ({ mark, variable }) => ({
    mark: `"${mark}"`,
    text: `${variable}.json()["id"]`,
  }));
  return `import os, requests

headers = {"X-API-KEY": os.environ["WHARF_API_KEY"]}
${uploads.join("")}response = requests.post(
    ${JSON.stringify(url)},
    headers=headers,
    json={"input": ${body}},
    timeout=60,
)
response.raise_for_status()
print(response.json()["output"])`;
};

/** Messages of the package have texts and files of their own; a file is named by its address. */
const buildOpenAi = ({ base, agent, input, files }: Call): string => {
  const [text] = Object.values(input).filter((value) => typeof value === "string");
  const parts = files.map(({ fileName, isImage }) => {
    const url = `https://example.com/${fileName}`;
    return isImage
      ? { type: "input_image", detail: "auto", image_url: url }
      : { type: "input_file", file_url: url };
  });
  const content = [...(text === undefined ? [] : [{ type: "input_text", text }]), ...parts];
  const message =
    files.length === 0
      ? JSON.stringify(text ?? JSON.stringify(input))
      : toPython([{ role: "user", content }]);
  return `import os
from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${base}/openai`)}, api_key=os.environ["WHARF_API_KEY"])
response = client.responses.create(model=${JSON.stringify(agent)}, input=${message})
print(response.output_text)`;
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
