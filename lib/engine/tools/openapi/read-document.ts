import type { ProcessorBudget } from "../../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../../platform/sandbox/processor-limits.ts";
import { SandboxLimitError } from "../../../platform/sandbox/sandbox-error.ts";
import { sandboxTask } from "../../../platform/sandbox/task.ts";
import type { JsonObject } from "../../../values/json/json.ts";
import { isDeeperThan, isJsonObject } from "../../../values/json/json.ts";
import { parseJson } from "../../../values/json/parse-json.ts";
import { ToolError } from "../tool.ts";
import { checkVersion } from "./check-version.ts";
import { maxDocumentDepth } from "./limits.ts";
import type * as parseTask from "./parse-document-task.ts";

const task = sandboxTask<typeof parseTask>(new URL("./parse-document-task.ts", import.meta.url));

/**
 * Reads an OpenAPI 3.0 or 3.1 document: parses JSON directly, in linear time, and YAML in the sandbox. Throws a
 * ToolError for an invalid one.
 */
export const readDocument = async (
  text: string,
  processor: ProcessorBudget,
): Promise<JsonObject> => {
  const parsed = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  if (parsed?.ok && isJsonObject(parsed.value)) {
    if (isDeeperThan(parsed.value, maxDocumentDepth)) {
      throw new ToolError(`The OpenAPI document is nested deeper than ${maxDocumentDepth} levels.`);
    }
    checkVersion(parsed.value);
    return parsed.value;
  }
  try {
    const result = await processor.run(task, text, processorLimits.documentMs);
    if (!result.ok) throw new ToolError(result.detail);
    const root: JsonObject = JSON.parse(result.json);
    return root;
  } catch (error) {
    if (!(error instanceof SandboxLimitError)) throw error;
    const limit = error.limit === "memory" ? "memory" : "processor time";
    throw new ToolError(
      `The OpenAPI document exceeds the limit of ${limit} for parsing: use JSON.`,
    );
  }
};
