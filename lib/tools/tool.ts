import type { Json } from "../flow/json.ts";
import type { ParameterDescriptor } from "../flow/parameters.ts";

/** What a tool is called, takes and gives. */
export type ToolDescriptor = {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  /** Whether it only reads, or may also change something elsewhere. */
  readonly actionType: "ReadOnly" | "ReadWrite";
  readonly resultType: "String" | "Json";
  readonly parametersMetadata: readonly ParameterDescriptor[];
};

/** What a tool has to work with. */
export type ToolContext = { readonly clock: () => number; readonly signal: AbortSignal };

/** Values of a tool's parameters; all of them are strings. */
export type ToolParameters = { readonly [name: string]: string };

/**
 * Something that a step or a caller can have done. A ToolError says that the parameters do not
 * fit, an UpstreamError that the service behind the tool failed.
 */
export type Tool = {
  readonly descriptor: ToolDescriptor;
  run(parameters: ToolParameters, context: ToolContext): Promise<Json>;
};

/** Finds tools by integration and id. */
export type ToolRegistry = {
  resolve(integrationId: string, toolId: string): Tool | undefined;
  /** The integrations and their tools. */
  list(): ReadonlyMap<string, readonly Tool[]>;
};

/** A tool that can't do what its parameters ask. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}
