import type { FailureReason } from "../../lib/engine/models/model-failure.ts";
import type { ProviderType } from "../../lib/engine/models/provider-settings.ts";
import type { Scripted } from "./model-server.ts";

/** Consequence of a failure: the next model is called, or the step fails. */
export type Outcome =
  /** The next model is called by default, or only if `fallbackOn` lists the reason. */
  | FailureReason
  /** A mistake of one's own, after which no other model is called. */
  | "own mistake"
  /** Text was emitted: the step fails, and its `retry` begins again. */
  | "after text";

/** A way in which a service fails. */
export type Way = {
  readonly name: string;
  readonly scripted: Scripted | "closed port";
  readonly outcome: Outcome;
  /** Outcomes of providers that treat it differently. */
  readonly except?: Partial<Record<ProviderType, Outcome>>;
  /** Outcomes of a response that is not streamed, where they differ. */
  readonly whole?: Partial<Record<ProviderType, Outcome>>;
  /** Nothing more arrives: a clock decides. */
  readonly isSilent?: true;
  /** Only a streamed response can fail in this way. */
  readonly isStreamedOnly?: true;
};

/** Bedrock reports such errors only in streams; in a whole response they have no format. */
const inStreams = { whole: { bedrock: "unavailable" } } as const;

const dayOfSeconds = { "retry-after": "86400" };

/** The ways in which services fail, and what follows. docs/models.md shows them. */
export const ways: readonly Way[] = [
  {
    name: "429 with `Retry-After`",
    scripted: { error: "throttled", headers: { "retry-after": "30" } },
    outcome: "rate-limited",
  },
  { name: "429 without `Retry-After`", scripted: { error: "throttled" }, outcome: "rate-limited" },
  {
    name: "429 with a `Retry-After` of a day",
    scripted: { error: "throttled", headers: dayOfSeconds },
    outcome: "rate-limited",
  },
  {
    name: "429, the quota is used up",
    scripted: { error: "out of quota" },
    outcome: "rate-limited",
  },
  {
    name: "overloaded (529 of Anthropic, 503 of others)",
    scripted: { error: "overloaded" },
    outcome: "overloaded",
  },
  { name: "529", scripted: { status: 529 }, outcome: "overloaded" },
  { name: "500", scripted: { error: "failed" }, outcome: "unavailable" },
  { name: "503", scripted: { status: 503 }, outcome: "unavailable" },
  { name: "408, 504", scripted: { status: 504 }, outcome: "timeout" },
  { name: "connection refused", scripted: "closed port", outcome: "unavailable" },
  {
    name: "connection reset before a response",
    scripted: { fault: "drop" },
    outcome: "unavailable",
  },
  {
    name: "no response in its share of the step's time",
    scripted: { fault: "hang" },
    outcome: "timeout",
    isSilent: true,
    isStreamedOnly: true,
  },
  {
    name: "a response that begins and then is silent, before text",
    scripted: { breaks: "before", by: "silence" },
    outcome: "timeout",
    isSilent: true,
    isStreamedOnly: true,
  },
  {
    name: "a response that ends before text",
    scripted: { breaks: "before", by: "end" },
    outcome: "unavailable",
  },
  {
    name: "a response that breaks off before text",
    scripted: { breaks: "before", by: "reset" },
    outcome: "unavailable",
  },
  {
    name: "an event that is not valid, before text",
    scripted: { breaks: "before", by: "malformed" },
    outcome: "unavailable",
  },
  {
    name: "a 200 that is not a model's response",
    scripted: {
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<html>Welcome</html>",
    },
    outcome: "unavailable",
  },
  {
    name: "an error in a 200: throttled",
    ...inStreams,
    scripted: { breaks: "before", by: { error: "throttled" } },
    outcome: "rate-limited",
  },
  {
    name: "an error in a 200: overloaded",
    ...inStreams,
    scripted: { breaks: "before", by: { error: "overloaded" } },
    outcome: "overloaded",
  },
  {
    name: "an error in a 200: failed",
    scripted: { breaks: "before", by: { error: "failed" } },
    outcome: "unavailable",
  },
  {
    name: "an error in a 200: context exceeded",
    ...inStreams,
    scripted: { breaks: "before", by: { error: "context exceeded" } },
    outcome: "context-exceeded",
  },
  {
    name: "an error in a 200: bad request",
    ...inStreams,
    scripted: { breaks: "before", by: { error: "bad request" } },
    outcome: "own mistake",
  },
  {
    name: "400, context exceeded; 413",
    scripted: { error: "context exceeded" },
    outcome: "context-exceeded",
  },
  { name: "400, harmful prompt", scripted: { error: "harmful prompt" }, outcome: "refused" },
  {
    name: "a response that the service's filter ended",
    scripted: { finish: "content-filter" },
    outcome: "refused",
  },
  { name: "400", scripted: { error: "bad request" }, outcome: "own mistake" },
  { name: "401", scripted: { status: 401 }, outcome: "own mistake" },
  { name: "403", scripted: { status: 403 }, outcome: "own mistake" },
  { name: "404", scripted: { status: 404 }, outcome: "own mistake" },
  {
    name: "a redirect",
    scripted: { status: 302, headers: { location: "/" } },
    outcome: "own mistake",
  },
  {
    name: "a response that ends after text",
    scripted: { breaks: "after", by: "end" },
    outcome: "after text",
    isStreamedOnly: true,
  },
  {
    name: "a response that breaks off after text",
    scripted: { breaks: "after", by: "reset" },
    outcome: "after text",
    isStreamedOnly: true,
  },
  {
    name: "an event that is not valid, after text",
    scripted: { breaks: "after", by: "malformed" },
    outcome: "after text",
    isStreamedOnly: true,
  },
  {
    name: "an error in a 200, after text",
    scripted: { breaks: "after", by: { error: "overloaded" } },
    outcome: "after text",
    isStreamedOnly: true,
  },
  {
    name: "a response that is silent after text, until the step's time ends",
    scripted: { breaks: "after", by: "silence" },
    outcome: "after text",
    isSilent: true,
    isStreamedOnly: true,
  },
];
