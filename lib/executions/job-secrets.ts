import { isDeepStrictEqual } from "node:util";
import type { LoadedRevision } from "../agents/revision/load-revision.ts";
import { readDefault } from "../values/json/input-value.ts";
import type { JsonObject } from "../values/json/json.ts";
import type { ParameterDescriptor } from "../values/json/parameters.ts";
import { maskInValue, secretValues } from "./mask-in-trace.ts";

/** Texts to mask in what an execution shows. */
export type JobSecrets = {
  /** In traces, events and errors: secret inputs, sent or by default, of it and of the executions that called it. */
  inTraces: readonly string[];
  /** In outputs: only those that are stored defaults of a revision. */
  inOutputs: readonly string[];
};

/** Returns the texts to mask in what an execution shows. */
export const jobSecrets = ({
  revision,
  values,
  inherited,
}: {
  revision: LoadedRevision;
  values: JsonObject;
  inherited?: JobSecrets | undefined;
}): JobSecrets => {
  const { parametersMetadata, subAgents } = revision.content;
  const stored = parametersMetadata.filter((descriptor) => isDefault(descriptor, values));
  const offered = subAgents
    .flatMap((subAgent) => subAgent.parametersMetadata)
    .flatMap(readSecretDefault);
  return {
    inTraces: merge(secretValues(parametersMetadata, values), offered, inherited?.inTraces),
    inOutputs: merge(secretValues(stored, values), offered, inherited?.inOutputs),
  };
};

/** A secret default of a sub-agent that the revision offers to its Prompts. */
const readSecretDefault = (descriptor: ParameterDescriptor): string[] => {
  const { name, type, secret, defaultValue } = descriptor;
  if (!secret || defaultValue === null) return [];
  return secretValues([descriptor], { [name]: readDefault(type, defaultValue) ?? null });
};

const isDefault = (
  { name, type, secret, defaultValue }: ParameterDescriptor,
  values: JsonObject,
): boolean =>
  secret &&
  defaultValue !== null &&
  isDeepStrictEqual(values[name], readDefault(type, defaultValue));

/** Longest first, since one may be part of another. */
const merge = (...lists: readonly (readonly string[] | undefined)[]): readonly string[] =>
  [...new Set(lists.flatMap((list) => list ?? []))].toSorted(
    (one, other) => other.length - one.length,
  );

/** Returns the inputs that contain a secret of their sender, as a record shows them. */
export const maskInputs = (
  input: Readonly<Record<string, unknown>>,
  values: JsonObject,
  secrets: readonly string[],
): JsonObject => {
  const names = secrets.length === 0 ? [] : Object.keys(input);
  const masked = names.map((name) => [name, maskInValue(values[name] ?? null, secrets)] as const);
  return Object.fromEntries(
    masked.filter(([name, shown]) => !isDeepStrictEqual(shown, values[name] ?? null)),
  );
};
