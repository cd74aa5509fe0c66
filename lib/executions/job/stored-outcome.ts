import type { StepOutcome, SuspendedAttempt } from "../../engine/flow/flow-result.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import { isRecord, type Json, type JsonObject, setMember } from "../../values/json/json.ts";
import { type FoundSecret, findSecrets, replaceFound } from "../../values/text/find-secrets.ts";
import type { Job } from "./job.ts";
import { jobSecrets, maskInTrace, maskMessages } from "./masks.ts";

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
  const finder = findSecrets(secrets);
  const referPart = ({ at, from, to }: SecretPart): string => {
    const isWhole = from === 0 && to === secrets[at]?.length;
    return `${nonce}text:${at}${isWhole ? "" : `:${from}-${to}`};`;
  };
  return mapTexts(value, {
    text: (text) => {
      const whole = finder.findWhole(text);
      if (whole !== undefined) return `${nonce}text:${whole};`;
      return replaceFound(text, finder.find(text), (found) =>
        divideFound(found).map(referPart).join(""),
      );
    },
    number: (number) => {
      const at = finder.findWhole(String(number));
      return at === undefined ? number : `${nonce}number:${at};`;
    },
  });
};

/** Characters of a secret. */
type SecretPart = { at: number; from: number; to: number };

/** Divides found parts that overlap into parts that do not. */
const divideFound = (found: readonly FoundSecret[]): SecretPart[] => {
  const parts: SecretPart[] = [];
  let reached = 0;
  for (const { start, end, at, from } of found) {
    const skipped = Math.max(0, reached - start);
    if (end - start <= skipped) continue;
    parts.push({ at, from: from + skipped, to: from + end - start });
    reached = end;
  }
  return parts;
};

/** Returns a value with the secrets that `referSecrets` replaced. */
const resolveSecrets = (value: Json, { secrets, nonce }: References): Json => {
  if (secrets.length === 0) return value;
  const pattern = new RegExp(
    `${RegExp.escape(nonce)}(text|number):(\\d+)(?::(\\d+)-(\\d+))?;`,
    "g",
  );
  const read = (at: string | undefined, from?: string, to?: string): string => {
    const secret = secrets[Number(at)];
    if (secret === undefined) throw new Error("a stored value refers to an unknown secret");
    return to === undefined ? secret : secret.slice(Number(from), Number(to));
  };
  return mapTexts(value, {
    text: (text) =>
      text.replace(pattern, (_found, _type, at: string, from?: string, to?: string) =>
        read(at, from, to),
      ),
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
