import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { buildOwnEnvironment, type Endpoints } from "../local/functions/function-environment.ts";
import type { LocalFunction } from "../local/template/functions.ts";
import { constructId } from "../settings/names.ts";

/**
 * Builds a template for `sam local invoke`. Functions use the storage of the running local stack,
 * and are named as operations are, such as `ExecuteAgent`; paths of code are relative to
 * `directory`.
 */
export const samTemplate = (
  functions: readonly LocalFunction[],
  { directory, prefix, endpoints }: { directory: string; prefix: string; endpoints: Endpoints },
) => ({
  AWSTemplateFormatVersion: "2010-09-09",
  Description: "Functions with the storage of the running local stack, for sam local invoke",
  Resources: Object.fromEntries(
    functions.map((fn) => [
      constructId(fn.name.slice(prefix.length + 1)),
      {
        Type: "AWS::Lambda::Function",
        Properties: {
          FunctionName: fn.name,
          Runtime: "nodejs24.x",
          Architectures: [process.arch === "arm64" ? "arm64" : "x86_64"],
          Handler: fn.handler,
          MemorySize: fn.memoryMegabytes,
          Timeout: fn.timeoutSeconds,
          Environment: { Variables: buildOwnEnvironment(fn, endpoints) },
          Code: relative(directory, realpathSync(fn.directory)),
        },
      },
    ]),
  ),
});
