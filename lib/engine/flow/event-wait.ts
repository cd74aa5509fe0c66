import * as z from "zod";
import { Uuid } from "../../platform/http/ids.ts";
import { isTemplate } from "../../values/expression/template-text.ts";
import { isJsonObject, type Json, type JsonObject, setMember } from "../../values/json/json.ts";
import { StepError } from "../step-error.ts";
import type { StepContext } from "./step-context.ts";
import type { EventRequest } from "./waits.ts";

/** Seconds of the longest and the usual lookback. */
const lookback = { max: 2_592_000, usual: 300 } as const;
/** Bytes of JSON of the values of an execution that `match` reads: they are stored with each wait. */
const maxScopeBytes = 16_384;

/** The event that a step waits for. */
export const EventMember = z.object({
  webhookId: Uuid,
  eventTypes: z.array(z.string().min(1).max(256)).min(1).max(100).nullish(),
  /** With or without `{%` and `%}`. */
  match: z
    .string()
    .min(1)
    .max(8_000)
    .transform((text) => (isTemplate(text) ? text : `{% ${text} %}`))
    .nullish(),
  lookbackSeconds: z.int().min(0).max(lookback.max).nullish(),
});
type EventMember = z.output<typeof EventMember>;

/** Builds the request for an event, with the values of the execution that its `match` reads. */
export const toEventRequest = async (
  { webhookId, eventTypes, match, lookbackSeconds }: EventMember,
  select: StepContext["select"],
): Promise<EventRequest> => ({
  webhookId,
  eventTypes: eventTypes ?? null,
  match: match ?? null,
  scope: match ? await selectScope(match, select) : {},
  lookbackSeconds: lookbackSeconds ?? lookback.usual,
});

const selectScope = async (match: string, select: StepContext["select"]): Promise<JsonObject> => {
  const scope: Record<string, Json> = {};
  for (const name of ["input", "parameters", "execution", "item", "index"]) {
    const value = match.includes(name) ? await select(`{% ${name} %}`) : undefined;
    if (value !== undefined) scope[name] = value;
  }
  if (match.includes("steps")) scope.steps = await selectSteps(match, select);
  if (Buffer.byteLength(JSON.stringify(scope)) > maxScopeBytes) {
    const detail = `The inputs and outputs of steps that "match" reads may have at most ${maxScopeBytes} bytes of JSON. Select what it needs with a Transform before.`;
    throw new StepError("execution-failed", detail);
  }
  return scope;
};

/** A step that an expression names; one that reads `steps` in another way reads them all. */
const namedStep = /\bsteps\s*\.\s*(?:`([^`]+)`|([A-Za-z0-9_]+))/g;

const selectSteps = async (
  match: string,
  select: StepContext["select"],
): Promise<Record<string, Json>> => {
  const named = [...match.matchAll(namedStep)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  if (match.replaceAll(namedStep, "").includes("steps")) {
    const all = await select("{% steps %}");
    return all !== undefined && isJsonObject(all) ? { ...all } : {};
  }
  const steps: Record<string, Json> = {};
  for (const id of new Set(named)) {
    const step = await select(`{% steps.\`${id}\` %}`);
    if (step !== undefined) setMember(steps, id, step);
  }
  return steps;
};
