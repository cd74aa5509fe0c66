import * as fc from "fast-check";
import { mask } from "../../lib/platform/http/mask.ts";
import { parameterTypes } from "../../lib/values/json/parameters.ts";

const uuid = fc.uuid();
/** Texts that YAML may read as something else, or lose. */
const hardTexts = [
  "",
  " ",
  "null",
  "~",
  "true",
  "1",
  "1e3",
  "0x1f",
  ".inf",
  "-",
  "---",
  "...",
  "<<",
  "a: b",
  "# x",
  "*a",
  "&a",
  "!x",
  "\n",
  "a\n",
  "a\n\n",
  "\na",
  "  a\n b\n",
  "a\n ",
  "a\r\nb",
  "\t",
  "a\tb",
  "\u0085",
  "\u2028",
  "\ufeff",
  "\u0000",
  "\u007f",
  "😀",
  `$\{NAME}`,
  `$$\{NAME}`,
  `$$$\{NAME}$`,
  `$\{A}$\{B}`,
  `$\{1}`,
  `$\{ NAME }`,
  "$NAME",
  "{% input.name %}",
  "{% $uppercase(input.name) & '\n' %}",
  "'",
  '"',
  "\\",
  "`",
  "@",
  "%",
  "|",
  ">",
  "?",
  "[",
  "{",
  mask,
  "__proto__",
  "2026-11-22",
  "12:30:45",
  "no",
  "0o17",
  "a".repeat(300),
  `${"word ".repeat(60)}\nsecond`,
];
/** Any text, often one that is hard to write in YAML. */
export const arbitraryText = fc.oneof(
  fc.constantFrom(...hardTexts),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc
    .array(fc.constantFrom(...hardTexts, "line\n", "  ", "x"), { maxLength: 5 })
    .map((all) => all.join("")),
);
const text = arbitraryText;
const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 });
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)));
const values = fc.dictionary(
  fc.oneof(text, fc.constantFrom("__proto__", "id", "1")),
  fc.oneof(text, json),
  { maxKeys: 4 },
);
const chosenId = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,10}$/);
const arbitraryModel = { providerId: fc.oneof(chosenId, uuid), parameters: values };
const arbitraryList = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { maxLength: 3 });

const descriptor = fc
  .record({
    name: text.filter((name) => name !== "" && name.length <= 128),
    index: nullable(fc.integer()),
    type: fc.constantFrom(...parameterTypes),
    typeName: nullable(text),
    integerRange: nullable(
      fc.record({
        min: nullable(fc.double({ noNaN: true, noDefaultInfinity: true })),
        max: nullable(fc.integer()),
      }),
    ),
    floatRange: fc.constant(null),
    options: arbitraryList(
      fc.oneof(
        text,
        fc.record({ value: text, displayName: nullable(text) }, { requiredKeys: ["value"] }),
      ),
    ),
    asset: nullable(
      fc.record(
        { providers: nullable(arbitraryList(text)), vectorized: nullable(fc.boolean()) },
        { requiredKeys: [] },
      ),
    ),
    displayName: nullable(text),
    description: nullable(text),
    required: fc.boolean(),
    secret: fc.boolean(),
    defaultValue: nullable(text),
    jsonSchema: nullable(text),
    uiHint: nullable(text),
    rules: arbitraryList(json),
  })
  .map((step) => ({
    ...step,
    defaultValue: step.secret && step.defaultValue !== null ? mask : step.defaultValue,
  }));

const step = fc.oneof(
  fc.record({
    id: chosenId,
    type: fc.constant("Prompt"),
    prompt: text,
    system: nullable(text),
    llm: nullable(
      fc.record({
        providerId: text,
        parameters: values,
        fallbacks: nullable(fc.array(fc.record({ providerId: text, parameters: values }))),
      }),
    ),
    skills: arbitraryList(text),
    tools: arbitraryList(
      fc.oneof(
        text,
        fc.record({ integrationId: text, toolId: text, configId: nullable(fc.oneof(uuid, text)) }),
      ),
    ),
  }),
  fc.record({
    id: chosenId,
    type: fc.constant("Transform"),
    value: json,
    retry: nullable(fc.record({ maxAttempts: fc.integer() })),
    onError: nullable(fc.record({ value: json })),
  }),
  fc.record({
    id: chosenId,
    type: fc.constant("Approval"),
    title: text,
    approvers: fc.record({ users: arbitraryList(text), emails: arbitraryList(text) }),
    actions: arbitraryList(fc.record({ id: chosenId, label: text, target: nullable(text) })),
    onError: nullable(fc.record({ value: json })),
  }),
  fc.record({
    id: chosenId,
    type: fc.constant("Wait"),
    event: fc.record({ webhookId: uuid, eventTypes: arbitraryList(text), match: text }),
    timeoutSeconds: fc.integer(),
  }),
  fc.record({
    id: chosenId,
    type: fc.constant("SubAgent"),
    agentId: fc.oneof(chosenId, uuid),
    input: values,
  }),
  fc.record({
    id: chosenId,
    type: fc.constant("ForEach"),
    items: text,
    step: fc.record({ type: fc.constant("Tool"), configId: uuid, parameters: values }),
  }),
  json,
);
const flow = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  edges: arbitraryList(
    fc.record(
      { source: text, target: text, on: fc.constant("error") },
      { requiredKeys: ["source", "target"] },
    ),
  ),
});

const part = {
  agentId: fc.constant("agent"),
  agentRevision: fc.constant(7),
  createdAt: fc.integer(),
  modifiedAt: fc.integer(),
};
/** Any revision as the API returns it, its flow valid or not. */
export const arbitraryRevision = fc.record({
  agentId: fc.constant("agent"),
  agentRevision: fc.constant(7),
  comment: nullable(text),
  parametersMetadata: arbitraryList(descriptor),
  subAgents: arbitraryList(
    fc.record({
      id: text.filter(Boolean),
      slug: nullable(text),
      integrationId: nullable(text),
      agentId: chosenId,
      displayName: nullable(text),
      description: nullable(text),
      toolType: nullable(text),
      actionType: nullable(text),
      resultType: nullable(text),
      authSettings: fc.record({ supportsOAuth: fc.boolean(), oAuth: arbitraryList(json) }),
      flow: fc.oneof(flow, fc.constant({ steps: [], edges: [] })),
      parametersMetadata: arbitraryList(descriptor),
      useSession: fc.boolean(),
      avatarFileId: nullable(text),
    }),
  ),
  flow: fc.oneof(flow, fc.constant({ steps: [], edges: [] })),
  connectors: arbitraryList(
    fc.record({
      id: uuid,
      name: nullable(text),
      provider: text.filter(Boolean),
      parameters: values.map((all) => ({ ...all, token: mask })),
      active: fc.boolean(),
      policy: fc.constantFrom("AllowAll", "RequireApproval"),
      onBoardingMessage: nullable(text),
      ...part,
    }),
  ),
  integrationConfigs: arbitraryList(
    fc.record({
      id: uuid,
      integrationId: text.filter(Boolean),
      displayName: nullable(text),
      parameters: values,
      auth: nullable(
        fc.record({
          integrationAuthMetadataId: nullable(text),
          parameters: fc.dictionary(text, fc.constant(mask), { maxKeys: 2 }),
        }),
      ),
      authMap: arbitraryList(json),
    }),
  ),
  llmConfigs: arbitraryList(
    fc.record({
      ...arbitraryModel,
      fallbacks: nullable(fc.array(fc.record(arbitraryModel), { maxLength: 3 })),
      fallbackOn: nullable(fc.constant(["overloaded"])),
      cache: nullable(fc.constantFrom("auto", "off")),
    }),
  ),
  assets: arbitraryList(
    fc.record({
      id: text.filter(Boolean),
      displayName: nullable(text),
      contentType: nullable(text),
      assetType: nullable(fc.integer()),
      vectorized: fc.boolean(),
      link: nullable(text),
    }),
  ),
  jobPolicyConfigs: arbitraryList(
    fc.record({
      id: uuid,
      tenantId: fc.constant("t"),
      scheduleFrequency: fc.constantFrom("daily", "weekly"),
      scheduleDay: nullable(text),
      scheduleDayOfMonth: nullable(text),
      scheduleHour: nullable(text),
      scheduleMinute: nullable(text),
      timezone: nullable(text),
      timeout: nullable(fc.integer()),
      prompt: nullable(text),
      ...part,
    }),
  ),
  useSession: fc.boolean(),
});
