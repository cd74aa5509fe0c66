import { SandboxLimitError } from "../../../platform/sandbox/sandbox-error.ts";
import { ToolError } from "../tool.ts";

/** Steps that work on one OpenAPI document may take; a step looks at one member of an object or list. */
export const documentSteps = {
  /** Reading all operations. */
  read: 10_000_000,
  /** Describing the parameters of all tools of a config, their schemas' characters included. */
  describe: 20_000_000,
  /** Making one request. */
  call: 2_000_000,
} as const;

/** Levels that a document may be nested. */
export const deepestDocument = 200;

/** Characters that the path of an operation may have. */
export const longestPath = 2_000;

/** Parameters that an operation may declare, its path's included. */
export const mostParameters = 500;

/** Turns a limit that `work` reached into a ToolError that names it. */
export function withinLimits<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SandboxLimitError)) throw error;
    throw new ToolError(
      "The OpenAPI document needs more processor time to be read than it may: its schemas, references or parameters are too many.",
    );
  }
}
