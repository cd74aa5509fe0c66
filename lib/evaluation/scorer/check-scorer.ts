import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { checkExpressions } from "../../values/expression/check-templates.ts";
import { buildPointer } from "../../values/json/json.ts";
import { checkMetaSchema, readSchemaValue } from "../../values/json/json-schema.ts";
import type { Scorer, ScorerType } from "./schemas.ts";

type Method = Pick<
  Scorer,
  "type" | "path" | "schema" | "value" | "llm" | "rubric" | "agentId" | "guardrailId"
>;
type Member = Exclude<keyof Method, "type">;

const required: Readonly<Record<ScorerType, readonly Member[]>> = {
  Exact: [],
  JsonSchema: ["schema"],
  Expression: ["value"],
  Judge: ["llm", "rubric"],
  Agent: ["agentId"],
  Guardrail: ["guardrailId"],
};
const optional: Partial<Record<ScorerType, readonly Member[]>> = { Exact: ["path"] };
const members: readonly Member[] = [
  "path",
  "schema",
  "value",
  "llm",
  "rubric",
  "agentId",
  "guardrailId",
];

/** Throws 400 with every problem of how a scorer scores. */
export const checkScorer = async (tenantId: TenantId, method: Method): Promise<void> => {
  const errors = checkMembers(method);
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  if (errors.length === 0) errors.push(...(await checkText(method, processor)));
  if (errors.length > 0) throw validationFailed(errors);
};

const checkMembers = (method: Method): ValidationIssue[] => {
  const { type } = method;
  const missing = required[type].filter((name) => method[name] === null);
  const own = [...required[type], ...(optional[type] ?? [])];
  const foreign = members.filter((name) => method[name] !== null && !own.includes(name));
  return [
    ...missing.map((name) => ({
      pointer: buildPointer(name),
      detail: `is required by a scorer of type ${type}`,
    })),
    ...foreign.map((name) => ({
      pointer: buildPointer(name),
      detail: `is not a member of a scorer of type ${type}`,
    })),
  ];
};

/** Bytes of the JSON of a judge's parameters. */
const longestParameters = 65_536;

const checkText = async (
  { schema, value, llm }: Method,
  processor: ProcessorBudget,
): Promise<ValidationIssue[]> => {
  if (Buffer.byteLength(JSON.stringify(llm?.parameters ?? null)) > longestParameters) {
    const detail = `must have at most ${longestParameters} bytes of JSON`;
    return [{ pointer: "/llm/parameters", detail }];
  }
  if (value !== null) {
    const [checked] = await checkExpressions([value], processor);
    if (!checked || checked.ok) return [];
    const { message, position } = checked;
    return [{ pointer: "/value", detail: `${message} (at character ${position}).` }];
  }
  if (schema === null) return [];
  const read = readSchemaValue(schema);
  if (!read.ok) return [{ pointer: "/schema", detail: read.detail }];
  const problems = await checkMetaSchema(read.schema, processor);
  return problems.map(({ pointer, detail }) => ({
    pointer: `/schema${pointer}`,
    detail: `is not a JSON Schema: ${detail}`,
  }));
};
