import { expect, test } from "vitest";
import { findRefusedFiles } from "./find-refused-files.ts";

const providers = {
  openai: { type: "openai", baseUrl: null, defaultModel: "gpt-3.5-turbo" },
  server: { type: "openai-compatible", baseUrl: "https://llm.example", defaultModel: null },
  echo: { type: "echo", baseUrl: null, defaultModel: "echo-1" },
} as const;
const findProvider = (id: string) => new Map(Object.entries(providers)).get(id);

const find = (
  step: object,
  accept: readonly string[] | null = ["image/*", "application/pdf"],
  llmConfigs: readonly object[] = [{ providerId: "openai" }],
) =>
  findRefusedFiles(
    {
      flow: { steps: [{ id: "a", type: "Prompt", files: ["{% input.photo %}"], ...step }] },
      llmConfigs,
      parametersMetadata: [
        { name: "photo", type: "File", ...(accept === null ? {} : { accept }) },
        { name: "text", type: "String" },
      ],
    },
    findProvider,
  );

test("finds an input that accepts what the default model is known not to take", () => {
  expect(find({})).toEqual([
    {
      pointer: "/flow/steps/0/files/0",
      detail: 'the input "photo" accepts image/*, which the model gpt-3.5-turbo does not take',
    },
  ]);
});

test("finds one in the Prompt inside a ForEach, with its own model", () => {
  const step = {
    type: "ForEach",
    step: {
      type: "Prompt",
      files: ["{% item %}", "{% input.photo %}"],
      llm: { providerId: "openai", parameters: { model: "o3-mini" } },
    },
  };
  expect(find(step)).toMatchObject([{ pointer: "/flow/steps/0/step/files/1" }]);
});

test.each<[string, object, (readonly string[] | null)?]>([
  [
    "a model that takes images",
    { llm: { providerId: "openai", parameters: { model: "gpt-5" } } },
    undefined,
  ],
  [
    "a model that an expression names",
    { llm: { providerId: "openai", parameters: { model: "{% input.m %}" } } },
    undefined,
  ],
  [
    "a model of an unknown server",
    { llm: { providerId: "server", parameters: { model: "gpt-4" } } },
    undefined,
  ],
  ["echo", { llm: { providerId: "echo" } }, undefined],
  ["an unknown provider", { llm: { providerId: "{% input.p %}" } }, undefined],
  ["PDF and text, which reach the model as text", {}, ["application/pdf", "text/*"]],
  ["an input that accepts anything", {}, null],
  [
    "another expression",
    { files: ["{% input.photo[0] %}", "{% input.text %}", "{% steps.b.output %}"] },
    undefined,
  ],
  ["a Prompt without files", { files: null }, undefined],
])("finds nothing for %s", (_name, step, accept) => {
  expect(find(step, accept)).toEqual([]);
});
