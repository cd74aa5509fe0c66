import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../../test/harness/model-server.ts";
import type { FilePart, GenerateRequest } from "./model.ts";
import type { ProviderType } from "./provider-settings.ts";
import { createRemoteProvider } from "./remote-provider.ts";

const paths: Record<ProviderType, string> = {
  openai: "/v1",
  anthropic: "/v1",
  google: "/v1beta",
  bedrock: "",
  "openai-compatible": "/v1",
};
const models: Record<ProviderType, string> = {
  openai: "gpt-5",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-3-pro",
  bedrock: "anthropic.claude-sonnet-4-5-20250929-v1:0",
  "openai-compatible": "llama3.3",
};

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

const media = (name: string, mediaType: string): FilePart => ({
  type: "media",
  name,
  mediaType,
  content: Buffer.from(name),
});
const toBase64 = (text: string) => Buffer.from(text).toString("base64");

/** Sends a prompt with one file, and returns the body of the request. */
const send = async (type: ProviderType, part: FilePart, more: Partial<GenerateRequest> = {}) => {
  const provider = createRemoteProvider(
    {
      id: "mine",
      type,
      baseUrl: server.url + paths[type],
      region: type === "bedrock" ? "us-east-1" : null,
      defaultModel: null,
      apiKey: "sk-very-secret",
    },
    { allowPrivateAddresses: true },
  );
  server.script({ text: "ok" });
  const file = { id: "f1", name: "a", mediaType: "x/y", bytes: 1 };
  await provider.generate({
    model: models[type],
    messages: [{ role: "user", text: "Look", files: [file] }],
    fileParts: new Map([["f1", part]]),
    parameters: {},
    signal: new AbortController().signal,
    ...more,
  });
  return JSON.stringify(server.requests.at(-1)?.body);
};

const image = toBase64("a.png");
const pdf = toBase64("b.pdf");

test.each<[ProviderType, string]>([
  ["openai", `"type":"input_image","image_url":"data:image/png;base64,${image}"`],
  [
    "anthropic",
    `"type":"image","source":{"type":"base64","media_type":"image/png","data":"${image}"}`,
  ],
  ["google", `"inlineData":{"mimeType":"image/png","data":"${image}"}`],
  ["bedrock", `"image":{"format":"png","source":{"bytes":"${image}"}}`],
  ["openai-compatible", `"type":"image_url","image_url":{"url":"data:image/png;base64,${image}"}`],
])("%s gets an image before the text", async (type, expected) => {
  const body = await send(type, media("a.png", "image/png"));
  expect(body).toContain(expected);
  expect(body.indexOf(expected)).toBeLessThan(body.indexOf("Look"));
});

test.each<[ProviderType, string]>([
  [
    "openai",
    `"type":"input_file","filename":"b.pdf","file_data":"data:application/pdf;base64,${pdf}"`,
  ],
  [
    "anthropic",
    `"source":{"type":"base64","media_type":"application/pdf","data":"${pdf}"},"title":"b.pdf"`,
  ],
  ["google", `"inlineData":{"mimeType":"application/pdf","data":"${pdf}"}`],
  ["bedrock", `"document":{"format":"pdf"`],
])("%s gets a PDF file", async (type, expected) => {
  const body = await send(type, media("b.pdf", "application/pdf"));
  expect(body).toContain(expected);
  expect(body).toContain(pdf);
});

test.each<[ProviderType, string]>([
  ["google", `"inlineData":{"mimeType":"audio/wav","data":"${toBase64("c.wav")}"}`],
  [
    "openai-compatible",
    `"type":"input_audio","input_audio":{"data":"${toBase64("c.wav")}","format":"wav"}`,
  ],
])("%s gets audio", async (type, expected) => {
  expect(await send(type, media("c.wav", "audio/wav"))).toContain(expected);
});

test.each(Object.keys(models) as ProviderType[])("%s gets a text file as text", async (type) => {
  const body = await send(type, { type: "text", text: "The file says hello." });
  expect(body).toContain("The file says hello.");
});

test("a prompt without text has only its files", async () => {
  const file = { id: "f1", name: "a", mediaType: "x/y", bytes: 1 };
  const messages = [{ role: "user" as const, text: "", files: [file] }];
  const body = await send("anthropic", media("a.png", "image/png"), { messages });
  expect(body).not.toContain('"type":"text"');
});

test("a request that lacks the content of a file is not sent", async () => {
  const fileParts = new Map();
  const sending = send("anthropic", media("a.png", "image/png"), { fileParts });
  await expect(sending).rejects.toThrow("no content of the file f1");
  expect(server.requests).toEqual([]);
});
