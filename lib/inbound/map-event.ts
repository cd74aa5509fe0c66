import { evaluateDeep } from "../flow/expression.ts";
import { ExpressionError } from "../flow/expression-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../flow/json.ts";
import type { ParameterDescriptor } from "../flow/parameters.ts";
import { isTruthy } from "../flow/truth.ts";
import type { Clock } from "../runtime/runtime.ts";
import type { SubscriptionItem } from "../webhook/items.ts";

/** What a subscriber may know of a delivery. */
export type DeliveredEvent = {
  provider: string;
  eventType: string | null;
  deliveryId: string | null;
  headers: Readonly<Record<string, string>>;
  payload: unknown;
};

/** A subscription whose filter or mapping does not work on a delivery; the message may be shown. */
export class NotMapped extends Error {
  override readonly name = "NotMapped";
}

/** Whether a subscription's filter holds for a delivery. Throws NotMapped. */
export const matches = async (
  { filter }: Pick<SubscriptionItem, "filter">,
  event: DeliveredEvent,
  clock: Clock,
): Promise<boolean> =>
  filter === null || isTruthy(await evaluate("filter", `{% ${filter} %}`, event, clock));

/**
 * The agent's input: the subscription's mapping, or the whole event under `event` where the agent declares
 * such an input. Throws NotMapped.
 */
export const evaluateInput = async (
  { input }: Pick<SubscriptionItem, "input">,
  event: DeliveredEvent,
  parameters: readonly ParameterDescriptor[],
  clock: Clock,
): Promise<JsonObject> => {
  if (input === null || input === undefined) {
    const takesEvent = parameters.some(({ name }) => name === "event");
    return takesEvent ? { event: toJsonObject(event) } : {};
  }
  const value = await evaluate("input", input, event, clock);
  if (isJsonObject(value)) return value;
  throw new NotMapped("The subscription's input does not give an object of named inputs.");
};

/** Evaluates a part of a subscription over an event. Throws NotMapped, which calls it `what`. */
export const evaluate = async (
  what: string,
  value: unknown,
  event: DeliveredEvent,
  clock: Clock,
): Promise<Json> => {
  try {
    return await evaluateDeep(value, toJsonObject(event), { clock });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new NotMapped(`The subscription's ${what} fails: ${error.message}`);
  }
};

/** Payloads were JSON on the queue, so they are JSON here. */
const toJsonObject = ({ payload, headers, ...event }: DeliveredEvent): JsonObject => ({
  ...event,
  headers: { ...headers },
  payload: isJson(payload) ? payload : null,
});

const isJson = (value: unknown): value is Json => value !== undefined;
