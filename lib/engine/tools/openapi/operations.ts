import type { ProcessorBudget } from "../../../platform/sandbox/processor-budget.ts";
import { WorkMeter } from "../../../platform/sandbox/work-meter.ts";
import type { JsonObject } from "../../../values/json/json.ts";
import { ToolError } from "../tool.ts";
import { documentSteps, maxPathLength } from "./limits.ts";
import { createNames } from "./names.ts";
import { type OperationPlan, planOperation } from "./plan-operation.ts";
import { listIn, objectIn, textIn } from "./read.ts";
import { createResolver } from "./resolver.ts";

/** An operation of a document: its names and the plan of its requests. */
export type Operation = {
  /** Unique in its document. */
  readonly id: string;
  /** Names that a filter may use: the id, the document's own id, and such as `GET /pets`. */
  readonly names: readonly string[];
  readonly method: string;
  readonly displayName: string;
  readonly description: string;
  readonly plan: OperationPlan;
};

/** The operations of a document that can become tools. */
export type Api = {
  readonly root: JsonObject;
  readonly operations: readonly Operation[];
};

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];
const maxOperations = 5_000;
const maxDescription = 1_000;
const maxTags = 20;

/**
 * Reads the operations of a document, in its order. Throws a ToolError when there are too many, and a
 * SandboxLimitError when reading them takes too much work.
 */
export const readOperations = (root: JsonObject, processor: ProcessorBudget): Api => {
  const resolver = createResolver(root, new WorkMeter(processor, documentSteps.read));
  const freeName = createNames(128);
  const operations: Operation[] = [];
  for (const [path, rawItem] of Object.entries(objectIn(root, "paths") ?? {})) {
    resolver.charge(methods.length);
    if (!path.startsWith("/") || path.length > maxPathLength) continue;
    const item = unlessUnfit(() => resolver.resolve(rawItem));
    for (const method of methods) {
      const node = objectIn(item, method);
      if (!item || !node) continue;
      const plan = unlessUnfit(() => planOperation({ root, method, path, item, node }, resolver));
      if (!plan) continue;
      if (operations.length >= maxOperations) {
        throw new ToolError(`The document has more than ${maxOperations} operations.`);
      }
      const route = `${method.toUpperCase()} ${path}`;
      const own = textIn(node, "operationId");
      const id = freeName(own ?? `${method}${path}`);
      operations.push({
        id,
        names: [id, route, ...(own === undefined ? [] : [own]), ...listTags(node)],
        method: method.toUpperCase(),
        displayName: (textIn(node, "summary") ?? own ?? route).slice(0, 200),
        description: describe(node, route),
        plan,
      });
    }
  }
  return { root, operations };
};

/** Skips parts of the document that cannot become tools, as a ToolError reports. */
const unlessUnfit = <Result>(make: () => Result): Result | undefined => {
  try {
    return make();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
};

const listTags = (node: JsonObject): string[] =>
  listIn(node, "tags")
    .slice(0, maxTags)
    .flatMap((tag) => (typeof tag === "string" ? [`tag:${tag}`] : []));

const describe = (node: JsonObject, route: string): string => {
  const text = textIn(node, "description") ?? textIn(node, "summary") ?? route;
  const note = node.deprecated === true ? "Deprecated. " : "";
  return `${note}${text.slice(0, maxDescription)}`.slice(0, maxDescription);
};
