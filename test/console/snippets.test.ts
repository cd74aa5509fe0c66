import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import {
  buildMcpSettings,
  buildSampleInput,
  buildSnippets,
  type SampleInput,
} from "../../console/src/agents/use-agent/snippets.ts";

const origin = "https://wharf.example.com";
const input = { name: 'it\'s "Ada" $HOME', age: 7, isNew: true, more: { list: [null, 1.5] } };
const call = { origin, tenant: "demo", agent: "a:b" };

const findCode = (label: string, sample: SampleInput = { input, files: [] }): string =>
  buildSnippets({ ...call, sample }).find((snippet) => snippet.label === label)?.code ?? "";

test("the call with curl sends the input unchanged, whatever a shell makes of its signs", () => {
  const script = `curl() { printf '%s\\n' "$@"; }\n${findCode("cURL")}`;
  const env = { ...process.env, WHARF_API_KEY: "the-key" };
  const args = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8", env }).split("\n");
  expect(args).toContain(`${origin}/v1/tenants/demo/agents/a%3Ab:execute`);
  expect(args).toContain("X-API-KEY: the-key");
  expect(args).toContain(JSON.stringify({ input }));
});

test("programs have the address, the agent and the input in their own language, and no key", () => {
  expect(findCode("TypeScript")).toContain(`body: { input: ${JSON.stringify(input)} }`);
  expect(findCode("Python")).toContain('"isNew": True, "more": {"list": [None, 1.5]}');
  expect(findCode("OpenAI")).toContain(`base_url="${origin}/v1/tenants/demo/openai"`);
  expect(findCode("OpenAI")).toContain('model="a:b"');
});

test("the settings of an MCP client are JSON with the key of the server", () => {
  const settings = JSON.parse(buildMcpSettings(`${origin}/v1/tenants/demo/mcp/1`, "hello", "k"));
  expect(settings.mcpServers.hello.headers).toEqual({ "X-API-KEY": "k" });
});

test("the sample has a value of each required input without a default, or else of the first one", () => {
  const parameters = [
    { name: "city", type: "String" as const },
    { name: "days", type: "Integer" as const, required: true, integerRange: { min: 3, max: 9 } },
    { name: "unit", type: "Option" as const, required: true, options: [{ value: "km" }] },
    { name: "free", type: "Boolean" as const, required: true, defaultValue: "true" },
  ];
  const files: string[] = [];
  expect(buildSampleInput(parameters)).toEqual({ input: { days: 3, unit: "km" }, files });
  expect(buildSampleInput(parameters.slice(0, 1))).toEqual({ input: { city: "…" }, files });
  expect(buildSampleInput([])).toEqual({ input: {}, files });
});

describe("an agent with files", () => {
  const sample = buildSampleInput([
    { name: "photo", type: "File", required: true, accept: ["image/*"] },
    { name: "papers", type: "File", required: true, multiple: true },
    { name: "note", type: "String", required: true },
  ]);

  test("is called with curl after its files are uploaded", () => {
    const response = '{"id":"id-of-file","name":"a"}';
    const script = `curl() { case "$*" in *--data-binary*) echo '${response}';; *) printf '%s\\n' "$@";; esac; }
${findCode("cURL", sample)}`;
    const args = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\n");
    const file = { fileId: "id-of-file" };
    const sent = { input: { photo: file, papers: [file], note: "…" } };
    expect(args).toContain(JSON.stringify(sent));
    expect(script).toContain(`${origin}/v1/tenants/demo/files?name=photo.png'`);
    expect(script).toContain("--data-binary @document2.pdf");
  });

  test("is called from programs with the ids of the uploaded files", () => {
    const typeScript = findCode("TypeScript", sample);
    expect(typeScript).toContain('content: await openAsBlob("photo.png")');
    expect(typeScript).toContain(
      'input: {"photo":{"fileId":file.id},"papers":[{"fileId":file2.id}],"note":"…"}',
    );
    expect(findCode("Python", sample)).toContain(
      '{"photo": {"fileId": file.json()["id"]}, "papers": [{"fileId": file2.json()["id"]}]',
    );
    expect(findCode("OpenAI", sample)).toContain(
      '{"type": "input_image", "detail": "auto", "image_url": "https://example.com/photo.png"}',
    );
  });
});
