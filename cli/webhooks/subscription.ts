import { unwrapBody } from "../../client/client.ts";
import type { WebhookSubscription } from "../../client/openapi.ts";
import { ProblemError } from "../../client/problem-error.ts";
import { convertInputs } from "../inputs/convert-inputs.ts";
import { type DeclaredInput, readDeclaredInputs } from "../inputs/declared-inputs.ts";
import { type GivenInputs, readInputs } from "../inputs/read-inputs.ts";
import type { Io } from "../io.ts";
import type { Session } from "../session.ts";
import { checkFilter } from "./check-filter.ts";

/** Values of the options of a subscription. */
export type SubscriptionInput = {
  filter: string | undefined;
  eventType: readonly string[];
  input: readonly string[];
  inputFile: string | undefined;
};

/** A subscription as it was given, before the agent's inputs are known. */
export type GivenSubscription = Pick<SubscriptionInput, "filter" | "eventType"> & {
  inputs: GivenInputs;
};

/** Returns whether the options of a subscription were given. */
export const hasSubscription = (given: SubscriptionInput): boolean =>
  given.filter !== undefined ||
  given.eventType.length > 0 ||
  given.input.length > 0 ||
  given.inputFile !== undefined;

/** Reads and checks what can be checked without the API. Throws a usage error. */
export const readSubscription = async (
  given: SubscriptionInput,
  io: Io,
): Promise<GivenSubscription> => {
  const { filter, eventType } = given;
  if (filter !== undefined) await checkFilter(filter);
  return { filter, eventType, inputs: await readInputs(given, io) };
};

/** Converts the inputs of a mapping to the types that the agent declares, except expressions. */
export const convertMapping = (
  inputs: GivenInputs,
  declared: readonly DeclaredInput[] | undefined,
): Record<string, unknown> | undefined => {
  const expressions = new Set(
    inputs.texts.flatMap(([name, value]) => (value.includes("{%") ? [name] : [])),
  );
  const asText = (input: DeclaredInput): DeclaredInput =>
    expressions.has(input.name) ? { ...input, type: "String" } : input;
  const input = convertInputs(inputs, declared?.map(asText));
  return Object.keys(input).length > 0 ? input : undefined;
};

/** Subscribes an agent to a webhook. */
export const subscribeAgent = async (
  session: Session,
  { webhook, agent }: { webhook: string; agent: string },
  { filter, eventType, inputs }: GivenSubscription,
): Promise<WebhookSubscription> => {
  const { client, tenant } = session;
  const declared = inputs.texts.length > 0 ? await readDeclaredInputs(session, agent) : undefined;
  const input = convertMapping(inputs, declared);
  return unwrapBody(
    client.POST("/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions", {
      params: { path: { tenant, webhook } },
      body: {
        subscriberType: "Agent",
        subscriberId: agent,
        ...(filter !== undefined && { filter }),
        ...(eventType.length > 0 && { eventTypes: [...eventType] }),
        ...(input !== undefined && { input }),
      },
    }),
  );
};

/** Returns how to set the inputs that the API missed; undefined for another problem. */
export const explainInputs = (error: unknown): string | undefined =>
  error instanceof ProblemError && error.fields.some(({ pointer }) => pointer.startsWith("/input"))
    ? "Map the agent's inputs, such as --input title='{% payload.issue.title %}'."
    : undefined;
