import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { SandboxLimitError } from "../../platform/sandbox/sandbox-error.ts";
import { sandboxTask } from "../../platform/sandbox/task.ts";
import { readPlainPath } from "../json/plain-path.ts";
import type * as checkTask from "./check-templates-task.ts";
import type { CheckedTemplate } from "./check-templates-task.ts";
import { callbacksOfPath, inputOfPath, stepsOfPath } from "./expression-syntax.ts";
import { readPlainTemplate } from "./plain-template.ts";

export type { CheckedTemplate } from "./check-templates-task.ts";

/** Parses distinct templates; returns by text the steps that they read, or their error. */
export const checkTemplates = async (
  texts: Iterable<string>,
  processor: ProcessorBudget,
): Promise<ReadonlyMap<string, CheckedTemplate>> => {
  const checked = new Map<string, CheckedTemplate>();
  const others: string[] = [];
  for (const text of new Set(texts)) {
    const parts = readPlainTemplate(text);
    if (!parts) others.push(text);
    else {
      const paths = parts.flatMap((part) => (typeof part === "string" ? [] : [part.path]));
      checked.set(text, {
        ok: true,
        steps: paths.flatMap(stepsOfPath),
        inputs: paths.flatMap(inputOfPath),
        callbacks: paths.flatMap(callbacksOfPath),
      });
    }
  }
  const results = await parse("templates", others, processor);
  for (const [at, text] of others.entries()) checked.set(text, results[at] ?? tooLong);
  return checked;
};

/** Parses bare expressions; returns the results in order. */
export const checkExpressions = async (
  sources: readonly string[],
  processor: ProcessorBudget,
): Promise<readonly CheckedTemplate[]> => {
  const isPlain = sources.every((source) => readPlainPath(source) !== undefined);
  if (!isPlain) return parse("expressions", sources, processor);
  return sources.map((source) => {
    const path = readPlainPath(source) ?? [];
    const callbacks = callbacksOfPath(path);
    return { ok: true, steps: stepsOfPath(path), inputs: inputOfPath(path), callbacks };
  });
};

const task = sandboxTask<typeof checkTask>(new URL("./check-templates-task.ts", import.meta.url));

const tooLong: CheckedTemplate = {
  ok: false,
  message: "It takes too long to parse",
  position: 0,
};

const parse = async (
  kind: "templates" | "expressions",
  texts: readonly string[],
  processor: ProcessorBudget,
): Promise<readonly CheckedTemplate[]> => {
  if (texts.length === 0) return [];
  const input = kind === "templates" ? { templates: texts } : { templates: [], expressions: texts };
  try {
    const result = await processor.run(task, input, processorLimits.expressionMs);
    return result[kind];
  } catch (error) {
    if (!(error instanceof SandboxLimitError)) throw error;
    // The results of the earlier ones are lost; they count as valid.
    return texts.map((_text, at) =>
      at === (error.mark ?? 0) ? tooLong : { ok: true, steps: [], inputs: [], callbacks: [] },
    );
  }
};
