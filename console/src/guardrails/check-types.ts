import type { Members } from "../flow-graph/members.ts";

/** Actions of a check. */
export const checkActions = {
  block: "block: ends the execution or the step",
  mask: "mask: replaces what was found",
  flag: "flag: only records the verdict",
} as const;

type CheckAction = keyof typeof checkActions;

/** Places where a check is applied. */
export const checkPlaces = {
  input: "input of the execution",
  output: "output of the execution",
  toolArguments: "arguments of tools",
  toolResult: "results of tools",
  retrieval: "what searches find",
} as const;

/** Whether a value is the name of a place. */
export const isPlace = (name: string): name is keyof typeof checkPlaces => name in checkPlaces;

/** A member that a type of check has in addition to those of all checks, and the kind of its field. */
export type CheckMember = {
  name: string;
  label: string;
  description?: string;
  placeholder?: string;
} & (
  | { kind: "text" | "long text" | "number" | "provider" | "model" }
  | { kind: "choices"; options: Readonly<Record<string, string>> }
);

/** A type of check, as the editor shows it. */
export type CheckType = {
  type: string;
  description: string;
  actions: readonly CheckAction[];
  members: readonly CheckMember[];
  /** Members of a new check. */
  template: Members;
};

/** The types of checks, in their order. A new type is a row. */
export const checkTypes: readonly CheckType[] = [
  {
    type: "Pii",
    description: "finds personal data and keys by their form",
    actions: ["block", "mask", "flag"],
    members: [
      {
        kind: "choices",
        name: "kinds",
        label: "Kinds",
        placeholder: "all",
        options: {
          Email: "email addresses",
          Phone: "phone numbers",
          Card: "card numbers",
          Iban: "IBANs",
          Key: "keys and tokens",
        },
      },
    ],
    template: {},
  },
  {
    type: "Pattern",
    description: "finds matches of a regular expression",
    actions: ["block", "mask", "flag"],
    members: [
      {
        kind: "text",
        name: "pattern",
        label: "Pattern",
        description: "A case-sensitive regular expression without back references and lookaheads.",
        placeholder: "PROJECT-[0-9]+",
      },
    ],
    template: { pattern: "" },
  },
  {
    type: "Expression",
    description: "applies where a JSONata expression returns true",
    actions: ["block", "flag"],
    members: [
      {
        kind: "long text",
        name: "value",
        label: "Expression",
        description:
          "A JSONata expression that reads value and on. The check applies where it returns true.",
        placeholder: "$length($string(value)) > 10000",
      },
    ],
    template: { value: "" },
  },
  {
    type: "Judge",
    description: "has a model rate the value against a rubric",
    actions: ["block", "flag"],
    members: [
      { kind: "model", name: "llm", label: "Provider" },
      {
        kind: "long text",
        name: "rubric",
        label: "Rubric",
        description: "What the check looks for, in plain text. The model rates it from 0 to 1.",
        placeholder: "The text gives medical advice.",
      },
      {
        kind: "number",
        name: "threshold",
        label: "Threshold",
        description: "The check applies to this rating and above.",
        placeholder: "0.5",
      },
    ],
    template: { llm: { providerId: "" }, rubric: "" },
  },
  {
    type: "Moderation",
    description: "asks the moderation endpoint of a provider",
    actions: ["block", "flag"],
    members: [
      {
        kind: "provider",
        name: "providerId",
        label: "Provider",
        description: "One of type openai or openai-compatible.",
      },
    ],
    template: {},
  },
  {
    type: "Bedrock",
    description: "asks a guardrail of Amazon Bedrock",
    actions: ["block", "mask", "flag"],
    members: [
      { kind: "text", name: "guardrailId", label: "Bedrock guardrail" },
      { kind: "text", name: "version", label: "Version", placeholder: "1, or DRAFT" },
      {
        kind: "provider",
        name: "providerId",
        label: "Provider",
        description: "One of type bedrock; without one, the region and the role of the deployment.",
      },
    ],
    template: { guardrailId: "", version: "DRAFT" },
  },
];

/** Returns the row of a type; undefined for one that this console does not know. */
export const findCheckType = (type: string): CheckType | undefined =>
  checkTypes.find((row) => row.type === type);
