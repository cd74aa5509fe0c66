import type { CreateScorerBody, Scorer, ScorerType } from "../../../../client/openapi.ts";
import { fromJson } from "../../datasets/json-text.ts";
import { isRecord } from "../../flow-graph/members.ts";

/** Typed members of a scorer. */
export type ScorerForm = {
  id: string;
  displayName: string;
  type: ScorerType;
  path: string;
  schema: string;
  value: string;
  providerId: string;
  model: string;
  /** Other parameters of the model, which the form keeps. */
  parameters: Readonly<Record<string, unknown>>;
  rubric: string;
  agentId: string;
  guardrailId: string;
};

/** The form of a new scorer. */
export const emptyScorerForm: ScorerForm = {
  id: "",
  displayName: "",
  type: "Exact",
  path: "",
  schema: "",
  value: "",
  providerId: "",
  model: "",
  parameters: {},
  rubric: "",
  agentId: "",
  guardrailId: "",
};

/** Pointers that the fields show. */
export const scorerPointers = [
  "/id",
  "/displayName",
  "/type",
  "/path",
  "/schema",
  "/value",
  "/llm",
  "/rubric",
  "/agentId",
  "/guardrailId",
] as const;

/** Describes the scorers of a type. */
export const scorerTypes: Readonly<Record<ScorerType, string>> = {
  Exact: "Compares the output with the expected one",
  JsonSchema: "Checks the output by a JSON Schema",
  Expression: "Evaluates a JSONata expression",
  Judge: "Has a model rate the output against a rubric",
  Agent: "Has an agent rate the output",
  Guardrail: "Checks whether a guardrail passes the output",
};

/** The types of scorers, in their order. */
export const scorerTypeNames: readonly ScorerType[] = [
  "Exact",
  "JsonSchema",
  "Expression",
  "Judge",
  "Agent",
  "Guardrail",
];

/** Converts a scorer to its form. */
export const toScorerForm = (scorer: Scorer): ScorerForm => {
  const { model, ...parameters } = scorer.llm?.parameters ?? {};
  return {
    id: scorer.id,
    displayName: scorer.displayName,
    type: scorer.type,
    path: scorer.path ?? "",
    schema: scorer.schema === null ? "" : JSON.stringify(scorer.schema, null, 2),
    value: scorer.value ?? "",
    providerId: scorer.llm?.providerId ?? "",
    model: typeof model === "string" ? model : "",
    parameters,
    rubric: scorer.rubric ?? "",
    agentId: scorer.agentId ?? "",
    guardrailId: scorer.guardrailId ?? "",
  };
};

/** Reports whether the typed schema is a JSON Schema's kind of value: an object or a boolean. */
export const isSchema = (text: string): boolean => {
  const read = fromJson(text);
  return (
    read.ok && (read.value === null || isRecord(read.value) || typeof read.value === "boolean")
  );
};

const schemaIn = (text: string): CreateScorerBody["schema"] => {
  const read = fromJson(text);
  if (!read.ok) return null;
  if (typeof read.value === "boolean") return read.value;
  return isRecord(read.value) ? { ...read.value } : null;
};

const llmIn = ({ providerId, model, parameters }: ScorerForm): CreateScorerBody["llm"] => {
  const all = { ...parameters, ...(model !== "" && { model }) };
  return { providerId, parameters: Object.keys(all).length === 0 ? null : all };
};

/** Converts a form to a request's body, with the members of its type. */
export const toScorerBody = (form: ScorerForm): CreateScorerBody => {
  const { id, displayName, type } = form;
  return { ...toMembers(form), displayName, type, ...(id !== "" && { id }) };
};

const toMembers = (form: ScorerForm): Partial<CreateScorerBody> => {
  switch (form.type) {
    case "Exact":
      return { path: form.path === "" ? null : form.path };
    case "JsonSchema":
      return { schema: schemaIn(form.schema) };
    case "Expression":
      return { value: form.value };
    case "Judge":
      return { llm: llmIn(form), rubric: form.rubric };
    case "Agent":
      return { agentId: form.agentId };
    case "Guardrail":
      return { guardrailId: form.guardrailId };
  }
};
