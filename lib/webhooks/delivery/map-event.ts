import { isTruthy } from "../../engine/flow/truth.ts";
import { TriggerSession } from "../../executions/schemas.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { readTraceContext, type TraceContext } from "../../platform/tracing/trace-context.ts";
import { evaluateTemplates } from "../../values/expression/evaluate.ts";
import type { ScopeSession } from "../../values/expression/evaluation-scope.ts";
import { ExpressionError } from "../../values/expression/expression-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { SubscriptionItem } from "../webhook/items.ts";

/** The event that a subscription's expressions see. */
export type DeliveredEvent = {
  provider: string;
  eventType: string | null;
  deliveryId: string | null;
  headers: Readonly<Record<string, string>>;
  payload: unknown;
};

/** Reads the trace context of the request that brought an event; undefined without a valid one. */
export const readEventTrace = ({ headers }: DeliveredEvent): TraceContext | undefined =>
  readTraceContext(new Map(Object.entries(headers).map(([name, value]) => [name, [value]])));

/** A filter or mapping failed on a delivery; the message is safe to show. */
export class NotMapped extends Error {
  override readonly name = "NotMapped";
}

/** Dependencies of evaluating a subscription's expressions. */
export type Mapping = { clock: Clock; processor: ProcessorBudget; session: ScopeSession };

/** Returns whether a delivery matches a subscription's filter. Throws NotMapped. */
export const matches = async (
  { filter }: Pick<SubscriptionItem, "filter">,
  event: DeliveredEvent,
  mapping: Mapping,
): Promise<boolean> =>
  filter === null || isTruthy(await evaluate("filter", `{% ${filter} %}`, event, mapping));

/**
 * Evaluates the agent's input: the subscription's mapping, or the whole event as `event` where the agent declares
 * it. An optional input that an expression gives no value is left out. Throws NotMapped.
 */
export const evaluateInput = async (
  { input }: Pick<SubscriptionItem, "input">,
  event: DeliveredEvent,
  parameters: readonly ParameterDescriptor[],
  mapping: Mapping,
): Promise<JsonObject> => {
  if (input === null || input === undefined) {
    const takesEvent = parameters.some(({ name }) => name === "event");
    return takesEvent ? { event: toJsonObject(event) } : {};
  }
  const value = await evaluate("input", input, event, mapping);
  if (isJsonObject(value)) {
    const optional = parameters.filter(({ required }) => !required).map(({ name }) => name);
    const given = Object.entries(value).filter(
      ([name, own]) => own !== null || !optional.includes(name),
    );
    return Object.fromEntries(given);
  }
  throw new NotMapped("The subscription's input does not return an object of named inputs.");
};

/** Evaluates the session of the agent's execution; null for none. Throws NotMapped. */
export const evaluateSession = async (
  { session }: Pick<SubscriptionItem, "session">,
  event: DeliveredEvent,
  mapping: Mapping,
): Promise<TriggerSession | null> => {
  if (session === null || session === undefined) return null;
  const value = await evaluate("session", session, event, mapping);
  if (value === null) return null;
  const { data } = TriggerSession.safeParse(value);
  if (data !== undefined) return data;
  throw new NotMapped(
    "The subscription's session does not return an id of 1 to 128 characters, nor {id, endUserId}.",
  );
};

/** Evaluates a part of a subscription over an event. Throws NotMapped, which calls it `what`. */
export const evaluate = async (
  what: string,
  value: unknown,
  event: DeliveredEvent,
  mapping: Mapping,
): Promise<Json> => {
  try {
    return (await evaluateTemplates(value, toJsonObject(event), mapping)) ?? null;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new NotMapped(`The subscription's ${what} fails: ${error.message}`);
  }
};

/** Returns an event as a JSON object. Payloads were JSON on the queue, so they are valid JSON. */
export const toJsonObject = ({ payload, headers, ...event }: DeliveredEvent): JsonObject => ({
  ...event,
  headers: { ...headers },
  payload: isJson(payload) ? payload : null,
});

const isJson = (value: unknown): value is Json => value !== undefined;
