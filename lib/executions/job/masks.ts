import { isDeepStrictEqual } from "node:util";
import type { LoadedRevision } from "../../agents/revision/load-revision.ts";
import type { FlowEvent, Span } from "../../engine/flow/flow-result.ts";
import type { Passage } from "../../engine/flow/knowledge.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import { mask } from "../../platform/http/mask.ts";
import { isRecord, type Json, type JsonObject, setMember } from "../../values/json/json.ts";
import { convertText } from "../../values/json/parameter-value.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import { findSecrets, lastOutside, replaceFound } from "../../values/text/find-secrets.ts";

/** Characters; shorter parts of a structured secret are not masked on their own. */
const shortestPart = 4;

/**
 * Returns the texts to mask in a trace: values of secret inputs including defaults, and for structured values
 * their JSON and the strings and numbers in it. Longest first, since one may be part of another.
 */
export const secretValues = (
  parameters: readonly ParameterDescriptor[],
  values: Readonly<JsonObject>,
): string[] => {
  const found = parameters
    .filter(({ secret }) => secret)
    .flatMap(({ name }) => listSecretTexts(values[name] ?? null));
  return [...new Set(found)].toSorted((one, other) => other.length - one.length);
};

const listSecretTexts = (value: Json): string[] => {
  if (typeof value === "string") return value === "" ? [] : [value, ...changed(value)];
  const whole = typeof value === "object" && value !== null ? [JSON.stringify(value)] : [];
  return [...whole, ...listTextParts(value)].filter(({ length }) => length >= shortestPart);
};

const listTextParts = (value: Json): string[] => {
  if (typeof value === "string") return [value, ...changed(value)];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(listTextParts)
    : [];
};

/** Returns the other forms of a text: escaped in JSON, and in lower case, as in the host of a URL. */
const changed = (text: string): string[] =>
  [JSON.stringify(text).slice(1, -1), text.toLowerCase()].filter((form) => form !== text);

/** Masks secrets in the inputs, outputs and errors of spans. */
export const maskInTrace = (spans: readonly Span[], secrets: readonly string[]): readonly Span[] =>
  secrets.length === 0
    ? spans
    : spans.map((span) => ({
        ...span,
        input: maskInValue(span.input, secrets),
        output: maskInValue(span.output, secrets),
        error: span.error && { ...span.error, detail: maskInText(span.error.detail, secrets) },
        ...(span.citations && {
          citations: span.citations.map((citation) => maskInCitation(citation, secrets)),
        }),
      }));

const maskInCitation = (citation: Passage, secrets: readonly string[]): Passage => ({
  ...citation,
  documentName: maskInText(citation.documentName, secrets),
  link: citation.link === null ? null : maskInText(citation.link, secrets),
  text: maskInText(citation.text, secrets),
});

/** Masks secrets anywhere in a value, names of members included. */
export const maskInValue = (value: Json, secrets: readonly string[]): Json => {
  if (secrets.length === 0) return value;
  if (typeof value === "string") return maskInText(value, secrets);
  if (typeof value === "number") return isSecret(String(value), secrets) ? mask : value;
  if (Array.isArray(value)) return value.map((item: Json) => maskInValue(item, secrets));
  if (!isObject(value)) return value;
  const shown: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    setMember(shown, maskInText(name, secrets), maskInValue(member, secrets));
  }
  return shown;
};

const isObject = (value: Json): value is JsonObject => isRecord(value);

const isSecret = (text: string, secrets: readonly string[]): boolean =>
  findSecrets(secrets).findWhole(text) !== undefined;

/** Masks secrets in a text: short ones only where they are the whole text. */
export const maskInText = (text: string, secrets: readonly string[]): string => {
  if (secrets.length === 0) return text;
  return isSecret(text, secrets) ? mask : maskInside(text, secrets);
};

/** Masks secrets in a part of a text. */
const maskInside = (text: string, secrets: readonly string[]): string =>
  replaceFound(text, findSecrets(secrets).find(text), () => mask);

/** Texts to mask in what an execution shows. */
export type JobSecrets = {
  /**
   * In traces, events and errors: secret inputs, sent or by default, and addresses of callbacks, of it and of the
   * executions that called it.
   */
  inTraces: readonly string[];
  /** In outputs: only those that are stored defaults of a revision. */
  inOutputs: readonly string[];
};

/** A job: what its secrets are found in. */
type SecretSources = {
  revision: LoadedRevision;
  values: JsonObject;
  callbacks?: readonly { token: string }[] | undefined;
  inherited?: JobSecrets | undefined;
};

/** Secrets of jobs by their values: they are asked for with every step. */
const knownSecrets = new WeakMap<JsonObject, { job: SecretSources; secrets: JobSecrets }>();

/** Returns the texts to mask in what an execution shows. */
export const jobSecrets = (job: SecretSources): JobSecrets => {
  const known = knownSecrets.get(job.values);
  if (known && isSameJob(known.job, job)) return known.secrets;
  const { revision, values, callbacks, inherited } = job;
  const secrets = listJobSecrets(job);
  knownSecrets.set(values, { job: { revision, values, callbacks, inherited }, secrets });
  return secrets;
};

const isSameJob = (one: SecretSources, other: SecretSources): boolean =>
  one.revision === other.revision &&
  one.callbacks === other.callbacks &&
  one.inherited === other.inherited;

const listJobSecrets = ({ revision, values, callbacks, inherited }: SecretSources): JobSecrets => {
  const { parametersMetadata, subAgents } = revision.content;
  const stored = parametersMetadata.filter((descriptor) => isDefault(descriptor, values));
  const offered = subAgents
    .flatMap((subAgent) => subAgent.parametersMetadata)
    .flatMap(readSecretDefault);
  return {
    inTraces: merge(
      secretValues(parametersMetadata, values),
      offered,
      callbacks?.map(({ token }) => token),
      inherited?.inTraces,
    ),
    inOutputs: merge(secretValues(stored, values), offered, inherited?.inOutputs),
  };
};

/** A secret default of a sub-agent that the revision offers to its Prompts. */
const readSecretDefault = (descriptor: ParameterDescriptor): string[] => {
  const { name, type, secret, defaultValue } = descriptor;
  if (!secret || defaultValue === null) return [];
  return secretValues([descriptor], { [name]: convertText(type, defaultValue) ?? null });
};

const isDefault = (
  { name, type, secret, defaultValue }: ParameterDescriptor,
  values: JsonObject,
): boolean =>
  secret &&
  defaultValue !== null &&
  isDeepStrictEqual(values[name], convertText(type, defaultValue));

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

type Send = (event: FlowEvent) => void;

/** Text of a step that waits for more. `read`: how much of it was read when the last part was sent. */
type BufferedText = { text: string; read: number };

/** Part of a buffer that must arrive before it is read again, so that reading it takes as long as all that arrives. */
const rereadPart = 16;

/**
 * Masks secrets in a run's events. A secret may span several chunks of a model's text: as much text as the
 * longest secret is buffered until more arrives or the step ends.
 */
export const maskInEvents = (secrets: readonly string[], send: Send): Send => {
  if (secrets.length === 0) return send;
  const buffered = new Map<string, BufferedText>();
  const started = new Set<string>();
  const finder = findSecrets(secrets);
  const longest = secrets.reduce((most, { length }) => Math.max(most, length), 0);
  const sendText = (stepId: string, text: string, isWhole: boolean): void => {
    if (text === "") return;
    started.add(stepId);
    const shown = isWhole ? maskInText(text, secrets) : maskInside(text, secrets);
    send({ type: "output.delta", stepId, text: shown });
  };
  const release = (stepId: string): void => {
    sendText(stepId, buffered.get(stepId)?.text ?? "", !started.has(stepId));
    buffered.delete(stepId);
    started.delete(stepId);
  };
  return (event) => {
    const { stepId } = event;
    switch (event.type) {
      case "step.started":
        return send(event);
      case "output.reset":
        buffered.delete(stepId);
        started.delete(stepId);
        return send(event);
      case "output.delta": {
        const before = buffered.get(stepId) ?? { text: "", read: longest };
        const text = before.text + event.text;
        if (text.length <= before.read + Math.floor(before.read / rereadPart)) {
          buffered.set(stepId, { ...before, text });
          return;
        }
        const end = lastOutside(finder.find(text), text.length - longest);
        const rest = text.slice(end);
        buffered.set(stepId, { text: rest, read: Math.max(rest.length, longest) });
        return sendText(stepId, text.slice(0, end), false);
      }
      case "step.completed":
        release(stepId);
        return send({ ...event, output: maskInValue(event.output, secrets) });
      case "step.failed": {
        release(stepId);
        const detail = maskInText(event.error.detail, secrets);
        return send({ ...event, error: { ...event.error, detail } });
      }
    }
  };
};

/** Masks secrets in messages of a conversation with a model. */
export const maskMessages = (
  messages: readonly ModelMessage[],
  secrets: readonly string[],
): readonly ModelMessage[] =>
  secrets.length === 0 ? messages : messages.map((message) => maskMessage(message, secrets));

const maskMessage = (message: ModelMessage, secrets: readonly string[]): ModelMessage => {
  switch (message.role) {
    case "user":
      return { ...message, text: maskInText(message.text, secrets) };
    case "assistant": {
      const { role, text, toolCalls } = message;
      const masked = toolCalls.map((call) => ({
        ...call,
        arguments: maskInValue(call.arguments, secrets),
      }));
      return { role, text: maskInText(text, secrets), toolCalls: masked };
    }
    case "tool": {
      const { role, results } = message;
      const masked = results.map((result) => ({
        ...result,
        output: maskInValue(result.output, secrets),
      }));
      return { role, results: masked };
    }
  }
};
