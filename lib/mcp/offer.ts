import type { Citation } from "../executions/schemas.ts";
import type { LinkedFile } from "../files/output-files.ts";
import type { Json, JsonObject } from "../values/json/json.ts";

/** Description of a tool for an MCP client. */
export type OfferDescription = {
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
  /** JSON Schema of every output, where one is known. */
  readonly outputSchema?: JsonObject | undefined;
  readonly isReadOnly: boolean;
};

/** A tool call without an output. `detail` is shown to the caller; `value` is the same as structured content. */
export type RefusedCall = {
  readonly ok: false;
  readonly detail: string;
  readonly value?: JsonObject;
};

/** Result of a tool call. */
export type Outcome =
  | {
      readonly ok: true;
      readonly value: Json;
      readonly citations?: readonly Citation[];
      /** Files of the output. */
      readonly files?: readonly LinkedFile[];
      readonly sessionId?: string;
    }
  | RefusedCall;

/** The state of a call that continues after its response. Times are ISO 8601. */
export type McpTaskState = {
  readonly taskId: string;
  readonly status: "working" | "input_required" | "completed" | "cancelled";
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
};

/** A task with its outcome when it is completed, or with requests to the client by their ids when it needs input. */
export type ReadTask = {
  readonly state: McpTaskState;
  readonly inputRequests?: Readonly<Record<string, JsonObject>>;
  readonly outcome?: Outcome;
};

/** Options of a call by an MCP client. */
export type McpCallOptions = {
  readonly signal: AbortSignal;
  /** Whether a call that takes long may continue as a task. */
  readonly takesTasks: boolean;
  /** Receives what happens during the call, as texts for people; undefined for a client that does not ask for it. */
  readonly onProgress?: ((message: string) => void) | undefined;
};

/** A tool that an MCP client may call. */
export type Offer = {
  /** Preferred name; the server makes it unique. */
  readonly name: string;
  /** Undefined when the tool does not exist. */
  describe(): Promise<OfferDescription | undefined>;
  /** Rejects on internal errors only. */
  call(given: JsonObject, options: McpCallOptions): Promise<Outcome | ReadTask>;
};
