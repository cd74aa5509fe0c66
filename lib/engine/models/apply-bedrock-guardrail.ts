import * as z from "zod";
import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { awsCredentials, awsRegion } from "../../platform/runtime/env.ts";
import { signPost } from "../../platform/runtime/sign-post.ts";
import { trimSlashes } from "../../platform/runtime/trim-end.ts";
import type { BedrockGuardrailRequest, BedrockGuardrailResult } from "./model.ts";
import type { ProviderSettings } from "./provider-settings.ts";

const action = z.string().default("BLOCKED");
const Named = z.object({ name: z.string(), action });
const Typed = z.object({ type: z.string(), action });
const Matched = z.object({ match: z.string().min(1), action });
const list = <Item extends z.ZodType>(item: Item) => z.array(item).nullish();

/** Findings by policy (`GuardrailAssessment` of ApplyGuardrail). */
const Assessment = z.object({
  topicPolicy: z.object({ topics: list(Named) }).nullish(),
  contentPolicy: z.object({ filters: list(Typed) }).nullish(),
  wordPolicy: z
    .object({
      customWords: list(Matched),
      managedWordLists: list(Matched.extend({ type: z.string() })),
    })
    .nullish(),
  sensitiveInformationPolicy: z
    .object({
      piiEntities: list(Matched.extend({ type: z.string() })),
      regexes: list(z.object({ name: z.string(), match: z.string().min(1).optional(), action })),
    })
    .nullish(),
  contextualGroundingPolicy: z.object({ filters: list(Typed) }).nullish(),
});
type Assessment = z.output<typeof Assessment>;

const Applied = z.object({
  action: z.enum(["NONE", "GUARDRAIL_INTERVENED"]),
  assessments: z.array(Assessment).default([]),
});

/** Applies a guardrail of Amazon Bedrock. Without an API key, the function's role signs the call. */
export const applyBedrockGuardrail = async (
  { baseUrl, region, apiKey }: ProviderSettings,
  { guardrailId, version, source, text, signal }: BedrockGuardrailRequest,
  { fetch, clock }: { fetch: GuardedFetch; clock: () => number },
): Promise<BedrockGuardrailResult> => {
  const place = region ?? awsRegion();
  if (baseUrl === null && place === undefined) throw new Error("there is no region");
  const address = baseUrl ?? `https://bedrock-runtime.${place}.amazonaws.com`;
  const url = new URL(`${trimSlashes(address)}/guardrail/${guardrailId}/version/${version}/apply`);
  const body = JSON.stringify({ source, content: [{ text: { text } }] });
  const headers =
    apiKey === null
      ? signByRole({ url, body, region: place ?? "", now: clock() })
      : { "content-type": "application/json", authorization: `Bearer ${apiKey}` };
  const response = await fetch(url, { method: "POST", headers, body, signal });
  return toResult(Applied.parse(await response.json()));
};

const signByRole = (request: { url: URL; body: string; region: string; now: number }) => {
  const credentials = awsCredentials();
  if (!credentials) throw new Error("there are no credentials");
  return signPost(credentials, { ...request, service: "bedrock" });
};

/** A finding of a policy. `match`: the part of the text, where it can be masked. */
type Found = {
  readonly kind: string;
  readonly action: string;
  readonly match?: string | undefined;
};

const listFound = (assessment: Assessment): Found[] => {
  const { topicPolicy, contentPolicy, wordPolicy, sensitiveInformationPolicy } = assessment;
  const { piiEntities, regexes } = sensitiveInformationPolicy ?? {};
  // The match of a word is content, and its own name.
  const words = [...(wordPolicy?.customWords ?? []), ...(wordPolicy?.managedWordLists ?? [])];
  return [
    ...(topicPolicy?.topics ?? []).map(({ name, action }) => ({ kind: name, action })),
    ...(contentPolicy?.filters ?? []).map(({ type, action }) => ({ kind: type, action })),
    ...(assessment.contextualGroundingPolicy?.filters ?? []).map(({ type, action }) => ({
      kind: type,
      action,
    })),
    ...words.map(({ action }) => ({ kind: "WORD", action })),
    ...(piiEntities ?? []).map(({ type, match, action }) => ({ kind: type, match, action })),
    ...(regexes ?? []).map(({ name, match, action }) => ({ kind: name, match, action })),
  ].filter((found) => found.action !== "NONE");
};

const maxKinds = 50;

/** Names of topics and patterns are chosen by their owner: brackets and control characters would break a mask. */
const toKind = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9 _-]/g, "").slice(0, 64) || "OTHER";

const toResult = ({
  action: outcome,
  assessments,
}: z.output<typeof Applied>): BedrockGuardrailResult => {
  const found = assessments.flatMap(listFound);
  const intervened = outcome === "GUARDRAIL_INTERVENED";
  const masks = found.flatMap(({ kind, match, action }) =>
    action === "ANONYMIZED" && match !== undefined ? [{ match, kind: toKind(kind) }] : [],
  );
  return {
    intervened,
    kinds: [...new Set(found.map(({ kind }) => toKind(kind)))].slice(0, maxKinds),
    blocks: intervened && (masks.length === 0 || masks.length < found.length),
    masks,
  };
};
