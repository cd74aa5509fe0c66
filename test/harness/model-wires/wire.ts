/** A response of the fake model, in no service's format. */
export type PlannedReply = {
  /** Text, in the pieces that are streamed. */
  text?: string | readonly string[];
  reasoning?: string;
  toolCalls?: readonly { id?: string; name: string; arguments: unknown }[];
  /** Disjoint counts, as in the product's TokenCounts. */
  usage?: {
    inputTokens?: number;
    outputTokens?: number;
    cachedTokens?: number;
    thinkingTokens?: number;
    /** Written to a cache; not included in inputTokens. */
    cacheWriteTokens?: number;
    /** Those of cacheWriteTokens that are kept for an hour. */
    cacheWriteHourTokens?: number;
  };
  finish?: "stop" | "length" | "content-filter";
};

/** A received request. */
export type ModelRequest = {
  method: string;
  /** Path with the query. */
  path: string;
  headers: Record<string, string | undefined>;
  /** The JSON body. */
  body: Record<string, unknown>;
};

/** A response and the request that it belongs to. */
export type ModelReply = {
  pieces: readonly string[];
  text: string;
  reasoning: string | undefined;
  calls: readonly { id: string; name: string; arguments: unknown; json: string }[];
  usage: Record<
    | "inputTokens"
    | "outputTokens"
    | "cachedTokens"
    | "thinkingTokens"
    | "cacheWriteTokens"
    | "cacheWriteHourTokens",
    number
  >;
  finish: "stop" | "length" | "content-filter" | "tool-calls";
  model: string;
};

/** Errors that services report in formats of their own. */
export type ServiceError =
  | "throttled"
  | "out of quota"
  | "overloaded"
  | "failed"
  | "context exceeded"
  | "harmful prompt"
  | "bad request";

/** An error of a service: the status and body of a response, or what a response of status 200 contains. */
export type WireError = { readonly status: number; readonly body: unknown };

/** The wire format of one service. */
export type Wire = {
  error: (error: ServiceError) => WireError;
  /** An error as an event of a stream. */
  errorChunk: (error: ServiceError) => string | Uint8Array;
  matches: (path: string) => boolean;
  isStreamed: (request: ModelRequest) => boolean;
  whole: (reply: ModelReply, request: ModelRequest) => unknown;
  /** The pieces of a streamed response, and their content type. */
  chunks: (reply: ModelReply, request: ModelRequest) => readonly (string | Uint8Array)[];
  streamType: string;
};

/** A server-sent event. */
export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
