import type { paths } from "../../../../client/openapi.ts";

/** A new revision, as the API accepts it. */
export type Revision = NonNullable<
  paths["/v1/tenants/{tenant}/agents/{agent}/revisions"]["post"]["requestBody"]
>["content"]["application/json"];

const openai = { providerId: "openai", parameters: { model: "gpt-5-mini" } };
const anthropic = { providerId: "anthropic", parameters: { model: "claude-sonnet-4-5" } };

const message = {
  name: "message",
  type: "String",
  required: true,
  description: "What the customer wrote",
} as const;
const topics = {
  name: "topics",
  type: "Json",
  required: false,
  defaultValue: "[]",
  description: "Topics to answer one by one",
} as const;

const first: Revision = {
  comment: "First version",
  parametersMetadata: [message],
  llmConfigs: [openai],
  flow: {
    steps: [
      { id: "reply", type: "Prompt", prompt: "{% input.message %}" },
      { id: "result", type: "Output", value: "{% steps.reply.output %}" },
    ],
    edges: [{ source: "reply", target: "result" }],
  },
};

const branching: Revision = {
  comment: "Invoices go to billing, everything technical is answered topic by topic",
  parametersMetadata: [
    message,
    topics,
    { name: "language", type: "Option", required: false, options: ["de", "en", "fr"] },
  ],
  llmConfigs: [openai],
  flow: {
    steps: [
      { id: "now", type: "Tool", integrationId: "system", toolId: "current_time" },
      { id: "intent", type: "Prompt", name: "Recognize intent", prompt: "{% input.message %}" },
      {
        id: "route",
        type: "Condition",
        cases: [
          { when: "$count(input.topics) > 0", target: "topics" },
          { when: "$contains(input.message, 'invoice')", target: "billing" },
        ],
        otherwise: "general",
      },
      {
        id: "topics",
        type: "ForEach",
        name: "Answer each topic",
        items: "{% input.topics %}",
        concurrency: 3,
        step: { type: "Prompt", prompt: "{% item %}", llm: anthropic },
      },
      {
        id: "billing",
        type: "SubAgent",
        name: "Ask billing",
        agentId: "hello",
        input: { name: "{% input.message %}" },
      },
      { id: "general", type: "Prompt", prompt: "{% input.message %}" },
      {
        id: "review",
        type: "Prompt",
        name: "Review tone",
        prompt: "{% steps.topics.output %}",
        skills: ["tone-of-voice", "refund-policy"],
        llm: anthropic,
      },
      {
        id: "result",
        type: "Output",
        value: {
          reply: "{% steps.review.output %}",
          answers: "{% steps.topics.output %}",
          at: "{% steps.now.output %}",
        },
      },
    ],
    edges: [
      { source: "intent", target: "route" },
      { source: "topics", target: "review" },
      { source: "billing", target: "review" },
      { source: "general", target: "review" },
      { source: "review", target: "result" },
      { source: "now", target: "result" },
    ],
  },
  assets: [
    { id: "glossary.md", displayName: "Glossary", contentType: "text/markdown" },
    {
      id: "handbook.pdf",
      displayName: "Handbook of the support team",
      contentType: "application/pdf",
    },
  ],
  useSession: true,
};

const scheduled: Revision = {
  ...branching,
  comment: "Checks open topics every morning",
  parametersMetadata: [{ ...message, required: false, defaultValue: "What is open?" }, topics],
  jobPolicyConfigs: [
    {
      scheduleFrequency: "weekly",
      scheduleDay: "monday",
      scheduleHour: "9",
      scheduleMinute: "30",
      timezone: "Europe/Berlin",
      timeout: 300,
    },
    { scheduleFrequency: "monthly", scheduleDayOfMonth: "_last", scheduleHour: "18" },
  ],
};

/** Revisions of one agent, oldest first. */
export const supportRevisions: readonly Revision[] = [
  first,
  { ...first, comment: "Claude in place of GPT", llmConfigs: [anthropic] },
  branching,
  scheduled,
];

/** An agent that fails for an issue without a title. */
export const issueRevision: Revision = {
  comment: "Asks for what is missing",
  parametersMetadata: [
    { name: "title", type: "String", required: true },
    { name: "url", type: "String", required: false },
  ],
  llmConfigs: [openai],
  flow: {
    steps: [
      {
        id: "check",
        type: "Transform",
        value: "{% input.title = '' ? $error('The issue has no title.') : input.title %}",
      },
      { id: "labels", type: "Prompt", prompt: "Labels for: {% steps.check.output %}" },
      { id: "result", type: "Output", value: { labels: "{% steps.labels.output %}" } },
    ],
    edges: [
      { source: "check", target: "labels" },
      { source: "labels", target: "result" },
    ],
  },
};

/** An agent without inputs. */
export const reportRevision: Revision = {
  comment: "Writes the report",
  llmConfigs: [anthropic],
  flow: {
    steps: [{ id: "report", type: "Prompt", prompt: "Write the report of the week." }],
    edges: [],
  },
};

/** An agent with a model that takes long to respond. */
export const importRevision: Revision = {
  comment: "Imports what is new",
  parametersMetadata: [{ name: "since", type: "String", required: true }],
  llmConfigs: [{ providerId: "own-models", parameters: {} }],
  flow: {
    steps: [
      { id: "read", type: "Transform", value: "Everything since {% input.since %}" },
      // It is still running when its picture is taken.
      { id: "sort", type: "Prompt", prompt: "{% steps.read.output %}", timeoutSeconds: 900 },
      { id: "result", type: "Output", value: "{% steps.sort.output %}" },
    ],
    edges: [
      { source: "read", target: "sort" },
      { source: "sort", target: "result" },
    ],
  },
};
