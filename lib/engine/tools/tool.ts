import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { TraceContext } from "../../platform/tracing/trace-context.ts";
import type { Json } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { AccessToken } from "./access-token.ts";
import type { SaveFile } from "./save-content.ts";

/** Metadata of a tool: its names, parameters and result. */
export type ToolDescriptor = {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  /** Whether it only reads, or may also change something elsewhere. */
  readonly actionType: "ReadOnly" | "ReadWrite";
  readonly resultType: "String" | "Json";
  readonly parametersMetadata: readonly ParameterDescriptor[];
};

/** Dependencies and limits of a tool call. */
export type ToolContext = {
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly processor: ProcessorBudget;
  /** Sent in place of the config's credentials. */
  readonly accessToken?: AccessToken | undefined;
  /** Trace of the call, for the service behind the tool; undefined outside of an execution. */
  readonly traceContext?: TraceContext | undefined;
  /** Stores binary content, so that the result refers to a file; without it the result has the content as base64. */
  readonly saveFile?: SaveFile | undefined;
};

/** Values of a tool's parameters; all of them are strings. */
export type ToolParameters = { readonly [name: string]: string };

/**
 * An operation that a step or a caller can run. Throws a ToolError for invalid parameters, and an
 * UpstreamError when the service behind the tool failed.
 */
export type Tool = {
  readonly descriptor: ToolDescriptor;
  run(parameters: ToolParameters, context: ToolContext): Promise<Json>;
};

/** Names a tool; `configId` where its integration gets its tools from a config. */
export type ToolName = {
  readonly integrationId: string;
  readonly toolId: string;
  readonly configId?: string | null | undefined;
};

/** Finds tools by integration and id. */
export type ToolRegistry = {
  /** A built-in tool. */
  resolve(integrationId: string, toolId: string): Tool | undefined;
  /** The built-in integrations and their tools. */
  list(): ReadonlyMap<string, readonly Tool[]>;
  /** Ids of the integrations that get their tools from a config; none when it is absent. */
  readonly configured?: readonly string[];
  /**
   * A tool of a published config; without a `configId`, of the integration's oldest one. Throws a
   * ToolError when the config or the tool does not exist, or the config is invalid, and an
   * UpstreamError when its server fails. Absent without a tenant.
   */
  load?(name: ToolName, context: Pick<ToolContext, "signal" | "processor">): Promise<Tool>;
};

/** A tool that can't do what its parameters ask. */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
}

/** The person for whom a consent is given; `Tenant`: for all. */
export type ConsentOwner = {
  readonly type: "Tenant" | "EndUser" | "User";
  readonly id?: string | undefined;
};

/** A consent that a person has to give before a tool can be called. */
export type ConsentRequest = {
  readonly connectionId: string;
  /** Name of the service, for people. */
  readonly title: string;
  /** The page on which the person begins. */
  readonly url: string;
  readonly owner: ConsentOwner;
  /** Scopes that an active connection lacks; none for one that is not active. */
  readonly scopes: readonly string[];
};

/** A tool that needs a person's consent first. */
export class ConsentRequired extends ToolError {
  override readonly name = "ConsentRequired";
  readonly consent: ConsentRequest;

  constructor(message: string, consent: ConsentRequest) {
    super(message);
    this.consent = consent;
  }
}
