import { untilAborted } from "../../../platform/outgoing/until-aborted.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import type { Json } from "../../../values/json/json.ts";
import type { ModelProvider } from "../../models/model.ts";
import { ModelFailure } from "../../models/model-failure.ts";
import { follow } from "../run-stop.ts";
import type { StepContext } from "../step-context.ts";

/** Dependencies of calls to services: registry, budget, and spans of the calls of models. */
export type ServiceCalls = Pick<
  StepContext,
  "models" | "processor" | "signal" | "openSpan" | "reserve"
> & {
  /** Masks secrets in what a service receives. */
  hide(value: Json): Json;
  /** Milliseconds of a check; default: 20 s. */
  readonly limitMs?: number;
};

const defaultLimitMs = 20_000;

/** Runs the work of a check within its time. Rejects with a ModelFailure once that has ended. */
export const limitCheckTime = async <Result>(
  { signal, limitMs = defaultLimitMs }: Pick<ServiceCalls, "signal" | "limitMs">,
  upstream: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const limit = new AbortController();
  const release = follow(signal, limit);
  const timer = setTimeout(() => {
    const detail = `The provider "${upstream}" did not respond in time.`;
    limit.abort(
      new ModelFailure(detail, { upstream, reason: "timeout", wasAccepted: true, timedOut: true }),
    );
  }, limitMs);
  try {
    return await untilAborted(limit.signal, work(limit.signal));
  } finally {
    clearTimeout(timer);
    release();
  }
};

/** Finds the provider of a check. Rejects when there is none. */
export const requireProvider = async (
  { models }: Pick<ServiceCalls, "models">,
  providerId: string,
): Promise<ModelProvider> => {
  const provider = await models.resolve(providerId);
  if (provider) return provider;
  throw new UpstreamError(`There is no model provider "${providerId}".`, { upstream: providerId });
};
