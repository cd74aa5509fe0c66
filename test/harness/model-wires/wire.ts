/** What the stand-in model says, in no service's own words. */
export type ModelAnswer = {
  /** Text in the pieces in which it is streamed. */
  text?: string | readonly string[];
  reasoning?: string;
  toolCalls?: readonly { id?: string; name: string; arguments: unknown }[];
  /** Disjoint, as in the product's own TokenCounts. */
  usage?: {
    inputTokens?: number;
    outputTokens?: number;
    cachedTokens?: number;
    thinkingTokens?: number;
    /** Written to a cache; not among inputTokens here. */
    cacheWriteTokens?: number;
  };
  finish?: "stop" | "length" | "content-filter";
};

/** A request that the stand-in got. */
export type ModelRequest = {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | undefined>;
  /** The JSON body. */
  body: Record<string, unknown>;
};

/** What a wire is given to say it. */
export type Spoken = {
  pieces: readonly string[];
  text: string;
  reasoning: string | undefined;
  calls: readonly { id: string; name: string; arguments: unknown; json: string }[];
  usage: Record<
    "inputTokens" | "outputTokens" | "cachedTokens" | "thinkingTokens" | "cacheWriteTokens",
    number
  >;
  finish: "stop" | "length" | "content-filter" | "tool-calls";
  model: string;
};

/** How one service speaks. */
export type Wire = {
  matches: (path: string) => boolean;
  isStreamed: (request: ModelRequest) => boolean;
  whole: (spoken: Spoken, request: ModelRequest) => unknown;
  /** The pieces of a streamed answer, and their content type. */
  chunks: (spoken: Spoken, request: ModelRequest) => readonly (string | Uint8Array)[];
  streamType: string;
};

/** A server-sent event. */
export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
