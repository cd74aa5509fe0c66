import * as z from "zod";
import { StepError } from "../step-error.ts";
import { type Called, isSignedByRole } from "./provider-failure.ts";

const Issues = z.object({ issues: z.array(z.object({ path: z.array(z.unknown()) })) });

/**
 * Maps an error of a service's package that refused a parameter or a message before sending. The detail repeats
 * only the names of the parameters.
 */
export const unsendable = (provider: Called, error: unknown): StepError => {
  if (error instanceof StepError) return error;
  const names = [...new Set(wrongPlaces(error))].join(", ");
  const what = names === "" ? unnamed(provider) : `llm.parameters.${names}`;
  return new StepError(
    "execution-failed",
    `No request could be made to the model provider "${provider.id}": check ${what}.`,
  );
};

const unnamed = (provider: Called): string => {
  const common = "the step's parameters and tools";
  return isSignedByRole(provider)
    ? `that this deployment has a role and a region (or give the provider an apiKey), and ${common}`
    : common;
};

const wrongPlaces = (error: unknown): string[] => {
  let cause = error;
  for (let depth = 0; depth < 10 && cause instanceof Error; depth += 1) {
    const { data } = Issues.safeParse(cause);
    if (data) return data.issues.map(({ path }) => path.join("."));
    cause = cause.cause;
  }
  return [];
};
