import type { StepOutcome, SuspendedAttempt } from "../../engine/flow/flow-result.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import { isRecord, type Json, type JsonObject, setMember } from "../../values/json/json.ts";
import type { Job } from "./job.ts";
import { isHiddenInTexts, jobSecrets, maskInTrace, maskMessages } from "./masks.ts";

/**
 * Returns the outcome of a step as it is stored: secrets are masked in its spans, and referred to in the state of a suspended
 * step. The output stays as it is, since a resumed run needs it.
 */
export const toStoredStep = (runtime: Runtime, job: Job, outcome: StepOutcome): StepOutcome => {
  const secrets = jobSecrets(job).inTraces;
  const spans = maskInTrace(outcome.spans, secrets);
  const { exchange } = outcome;
  if (!outcome.suspended) {
    if (!exchange) return { ...outcome, spans };
    return { ...outcome, spans, exchange: maskMessages(exchange, secrets) };
  }
  const nonce = newUuid(runtime);
  const suspended = mapState(outcome.suspended, referSecrets, { secrets, nonce });
  return { ...outcome, spans, suspended: { ...suspended, nonce } };
};

/** Returns a stored outcome as the run of its job has it. */
export const fromStored = (job: Job, outcome: StepOutcome): StepOutcome => {
  const { suspended } = outcome;
  if (!suspended?.nonce) return outcome;
  const { nonce, ...attempt } = suspended;
  const secrets = jobSecrets(job).inTraces;
  return { ...outcome, suspended: mapState(attempt, resolveSecrets, { secrets, nonce }) };
};

const mapState = (
  attempt: SuspendedAttempt,
  map: typeof referSecrets,
  references: References,
): SuspendedAttempt => {
  const { state, notes } = attempt;
  const { input } = notes;
  return {
    ...attempt,
    state: map(state, references),
    notes: { ...notes, ...(input !== undefined && { input: map(input, references) }) },
  };
};

/** Secrets of a job, and a random text that no value contains. */
type References = { readonly secrets: readonly string[]; readonly nonce: string };

/**
 * Replaces secrets anywhere in a value by references to their positions, so that it can be stored. What is masked in a trace
 * is replaced here; `resolveSecrets` puts it back for a job with the same secrets.
 */
const referSecrets = (value: Json, { secrets, nonce }: References): Json => {
  if (secrets.length === 0) return value;
  const places = new Map(secrets.map((secret, at) => [secret, at]));
  const inTexts = secrets.filter(isHiddenInTexts).map((secret) => RegExp.escape(secret));
  const pattern = inTexts.length === 0 ? undefined : new RegExp(inTexts.join("|"), "g");
  const refer = (at: number | undefined, type: "text" | "number") => `${nonce}${type}:${at};`;
  const inText = (text: string): string => {
    if (places.has(text)) return refer(places.get(text), "text");
    return pattern ? text.replace(pattern, (secret) => refer(places.get(secret), "text")) : text;
  };
  return mapTexts(value, {
    text: inText,
    number: (number) =>
      places.has(String(number)) ? refer(places.get(String(number)), "number") : number,
  });
};

/** Returns a value with the secrets that `referSecrets` replaced. */
const resolveSecrets = (value: Json, { secrets, nonce }: References): Json => {
  if (secrets.length === 0) return value;
  const pattern = new RegExp(`${RegExp.escape(nonce)}(text|number):(\\d+);`, "g");
  const read = (at: string | undefined): string => {
    const secret = secrets[Number(at)];
    if (secret === undefined) throw new Error("a stored value refers to an unknown secret");
    return secret;
  };
  return mapTexts(value, {
    text: (text) => text.replace(pattern, (_found, _type, at: string) => read(at)),
    number: (number) => number,
    whole: (text) => {
      const [found, type, at] = [...text.matchAll(pattern)][0] ?? [];
      return found === text && type === "number" ? Number(read(at)) : undefined;
    },
  });
};

type Mapping = {
  readonly text: (text: string) => string;
  readonly number: (number: number) => Json;
  /** Maps a whole text to another value; undefined to map it as a text. */
  readonly whole?: (text: string) => Json | undefined;
};

const mapTexts = (value: Json, mapping: Mapping): Json => {
  if (typeof value === "string") return mapping.whole?.(value) ?? mapping.text(value);
  if (typeof value === "number") return mapping.number(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, mapping));
  if (!isObject(value)) return value;
  const mapped: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    setMember(mapped, mapping.text(name), mapTexts(member, mapping));
  }
  return mapped;
};

const isObject = (value: Json): value is JsonObject => isRecord(value);
