import { SandboxLimitError } from "../../../platform/sandbox/sandbox-error.ts";
import { ToolError } from "../tool.ts";

/** Maximum steps of work on one OpenAPI document; a step visits one member of an object or list. */
export const documentSteps = {
  /** Reading all operations. */
  read: 10_000_000,
  /** Describing the parameters of all tools of a config, their schemas' characters included. */
  describe: 20_000_000,
  /** Building one request. */
  call: 2_000_000,
} as const;

/** Maximum nesting of a document. */
export const maxDocumentDepth = 200;

/** Maximum characters of an operation's path. */
export const maxPathLength = 2_000;

/** Maximum parameters of an operation, including its path's. */
export const maxParameters = 500;

/** Maps an exceeded limit of `work` to a ToolError that names it. */
export const withinLimits = <Result>(work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SandboxLimitError)) throw error;
    throw new ToolError(
      "The OpenAPI document exceeds the limit of processor time: it has too many schemas, references or parameters.",
    );
  }
};
