import { buildToolSchema } from "../engine/flow/prompt/tool-schema.ts";
import { checkToolParameters } from "../engine/flow/tool-ref.ts";
import { type Tool, ToolError, type ToolParameters } from "../engine/tools/tool.ts";
import { nameConsent, type ToolCaller } from "../integrations/tools/name-consent.ts";
import { UpstreamError } from "../platform/outgoing/upstream-error.ts";
import type { ProcessorBudget } from "../platform/sandbox/processor-budget.ts";
import { formatValue, type JsonObject, setMember } from "../values/json/json.ts";
import type { Offer, Outcome } from "./offer.ts";

/** State shared by the calls of one request. */
export type CallSurroundings = {
  readonly clock: () => number;
  readonly processor: ProcessorBudget;
  readonly principal: ToolCaller;
};

/** Offers a tool of an integration as an MCP tool. */
export const offerTool = (tool: Tool, { clock, processor, principal }: CallSurroundings): Offer => {
  const { id, displayName, description, actionType, parametersMetadata } = tool.descriptor;
  return {
    name: id,
    describe: async () => ({
      title: displayName,
      description: description || displayName,
      inputSchema: buildToolSchema(parametersMetadata),
      isReadOnly: actionType === "ReadOnly",
    }),
    call: async (given, { signal }) => {
      const parameters = toParameters(given);
      const [refused] = checkToolParameters(tool.descriptor, parameters);
      if (refused) return { ok: false, detail: refused.detail };
      try {
        return { ok: true, value: await tool.run(parameters, { clock, signal, processor }) };
      } catch (error) {
        return toOutcome(nameConsent(error, principal), signal);
      }
    },
  };
};

/** Converts arguments to strings, the only type that integration tools accept. */
const toParameters = (given: JsonObject): ToolParameters => {
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== null) setMember(parameters, name, formatValue(value));
  }
  return parameters;
};

const toOutcome = (error: unknown, signal: AbortSignal): Outcome => {
  if (error instanceof ToolError || error instanceof UpstreamError) {
    return { ok: false, detail: error.message };
  }
  if (signal.aborted) return { ok: false, detail: "The tool did not respond in time." };
  throw error;
};
