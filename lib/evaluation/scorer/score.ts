import { addCosts, addTokens } from "../../engine/models/sums.ts";
import type { ExecutionDeps } from "../../executions/job/job.ts";
import type { ModelUsage } from "../../spending/usage/count-usage.ts";
import { evaluateExpression } from "../../values/expression/evaluate.ts";
import { ExpressionError } from "../../values/expression/expression-error.ts";
import { isDeeperThan, type Json, maxJsonDepth } from "../../values/json/json.ts";
import { checkSchema, readSchemaValue } from "../../values/json/json-schema.ts";
import { compareExactly } from "./compare-exactly.ts";
import { judge } from "./judge.ts";
import type { Scorer, ScorerResult } from "./schemas.ts";
import { scoreWithAgent } from "./score-with-agent.ts";
import { scoreWithGuardrail } from "./score-with-guardrail.ts";
import { type ScoreContext, type Subject, scored, undetermined, type Verdict } from "./subject.ts";

/** Results of scorers, with their own calls of models, which no execution counts. */
export type ScorerResults = {
  results: readonly ScorerResult[];
  models: readonly ModelUsage[];
  /** Whether all models behind the costs of the results have a price. */
  priced: boolean;
};

/**
 * Scores a finished execution with each scorer, in order. A scorer that fails gives a result without a value. Rejects
 * when time ran out or storage failed: the caller scores again later.
 */
export const scoreAll = async (
  deps: ExecutionDeps,
  {
    scorers,
    subject,
    context,
  }: { scorers: readonly Scorer[]; subject: Subject; context: ScoreContext },
): Promise<ScorerResults> => {
  const results: ScorerResult[] = [];
  const calls: ModelUsage[] = [];
  let allPriced = true;
  for (const scorer of scorers) {
    const { models, priced, ...verdict } = await scoreWith(deps, { scorer, subject, context });
    results.push({ scorer: scorer.id, ...verdict });
    calls.push(...models);
    allPriced &&= priced;
  }
  return { results, models: sumByModel(calls), priced: allPriced };
};

const sumByModel = (calls: readonly ModelUsage[]): ModelUsage[] => {
  const byModel = Map.groupBy(calls, ({ providerId, modelId }) => `${providerId}/${modelId}`);
  return [...byModel.values()].map((calls) =>
    calls.reduce(({ providerId, modelId, tokens, cost, priced }, call) => ({
      providerId,
      modelId,
      tokens: addTokens(tokens, call.tokens),
      cost: addCosts(cost, call.cost),
      priced: priced && call.priced,
    })),
  );
};

/** Scores a finished execution with one scorer, as `scoreAll` does. */
export const scoreWith = async (
  deps: ExecutionDeps,
  { scorer, subject, context }: { scorer: Scorer; subject: Subject; context: ScoreContext },
): Promise<Verdict> => {
  switch (scorer.type) {
    case "Exact":
      return compareExactly(scorer.path, subject);
    case "JsonSchema":
      return validate(scorer.schema, subject.output, context);
    case "Expression":
      return evaluate(deps, scorer, subject, context);
    case "Judge":
      return judge(deps, { scorer, subject, context });
    case "Agent":
      return scoreWithAgent(deps, { scorer, subject, context });
    case "Guardrail":
      return scoreWithGuardrail(deps, { scorer, subject, context });
  }
};

const validate = async (
  schema: Scorer["schema"],
  output: Json,
  { processor }: ScoreContext,
): Promise<Verdict> => {
  const read = readSchemaValue(schema);
  if (!read.ok) return undetermined(`The schema ${read.detail}.`);
  if (isDeeperThan(output, maxJsonDepth)) return scored(0, "The output is nested too deeply.");
  const problems = await checkSchema(read.schema, output, processor);
  const details = problems.map(({ pointer, detail }) => `${pointer || "the output"}: ${detail}`);
  return problems.length === 0 ? scored(1) : scored(0, details.join("; "));
};

/** A trace may be large, and reading it takes processor time: it is read only where it is named. */
const namesTrace = /\btrace\b/;

const evaluate = async (
  { runtime }: ExecutionDeps,
  { value }: Pick<Scorer, "value">,
  subject: Subject,
  { processor }: ScoreContext,
): Promise<Verdict> => {
  const source = value ?? "";
  const { input, output, expected = null, usage, cost } = subject;
  const trace = namesTrace.test(source) ? subject.trace : [];
  const document: Json = JSON.parse(
    JSON.stringify({ input, output, expected, trace, usage, cost }),
  );
  try {
    const options = { processor, clock: runtime.clock };
    return verdictFor(await evaluateExpression(source, document, options));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return undetermined(`The expression ${error.message}.`);
  }
};

const verdictFor = (result: Json | undefined): Verdict => {
  if (typeof result === "boolean") return scored(result ? 1 : 0);
  if (typeof result === "number" && Number.isFinite(result)) return scored(result);
  const found = result === undefined ? "nothing" : JSON.stringify(result).slice(0, 200);
  return undetermined(`The expression selects neither a number nor a boolean, but ${found}.`);
};
