import { WorkMeter } from "../../../platform/sandbox/work-meter.ts";
import type { ConfiguredIntegration } from "../integration.ts";
import { ToolError } from "../tool.ts";
import { documentSteps, withinLimits } from "./limits.ts";
import { loadApi } from "./load-api.ts";
import { toTool } from "./operation-tool.ts";
import type { Operation } from "./operations.ts";
import { openapiParameters } from "./parameters.ts";
import { createResolver } from "./resolver.ts";
import { readSettings } from "./settings.ts";

/** Integration `openapi`: operations of an API that an OpenAPI 3.0 or 3.1 document describes. */
export const openapiIntegration: ConfiguredIntegration = {
  id: "openapi",
  displayName: "OpenAPI",
  description: "Provides one tool per operation of an API, from its OpenAPI 3.0 or 3.1 document.",
  parameters: openapiParameters,
  listsWithToken: false,
  async tools(config, context) {
    const settings = readSettings(config);
    const api = await loadApi(settings, context);
    const operations = filter(api.operations, settings.operations);
    const meter = new WorkMeter(context.processor, documentSteps.read);
    const surroundings = {
      api,
      settings,
      auth: config.auth,
      hasAccessToken: config.hasAccessToken ?? false,
      outgoing: context.outgoing,
      resolver: createResolver(api.root, meter),
      describing: createResolver(api.root, new WorkMeter(unpaid, documentSteps.describe)),
    };
    return withinLimits(() => operations.map((operation) => toTool(operation, surroundings)));
  },
};

/** Parameters are described on demand, after the request that loaded the config: only their own limit applies. */
const unpaid = { remainingMs: Number.POSITIVE_INFINITY, spend: () => undefined };

/** Selects the operations that a filter names; a name may end with `*`. */
const filter = (
  operations: readonly Operation[],
  wanted: readonly string[] | undefined,
): readonly Operation[] => {
  if (wanted === undefined || wanted.length === 0) return operations;
  const exact = new Set(wanted);
  const starts = wanted.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  const found = operations.filter(({ names }) =>
    names.some((name) => exact.has(name) || starts.some((start) => name.startsWith(start))),
  );
  if (found.length > 0) return found;
  throw new ToolError(
    'No operation of the document has a name that the config\'s "operations" lists.',
  );
};
