import type { OutgoingOptions } from "../../platform/outgoing/request.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { AccessToken } from "./access-token.ts";
import type { Tool } from "./tool.ts";

/** A published config of an integration, with decrypted credentials. */
export type ToolConfig = {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly auth: Readonly<Record<string, string>>;
  /** Whether each call has an access token, in place of a token of `auth`. */
  readonly hasAccessToken?: boolean;
};

/** Dependencies and limits of listing an integration's tools. */
export type IntegrationContext = {
  readonly outgoing: OutgoingOptions;
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly processor: ProcessorBudget;
  /** Access token to list the tools with; absent where the config has no connection. */
  readonly accessToken?: AccessToken | undefined;
};

/** A setting or a credential of a config. */
export type ConfigParameter = {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly required: boolean;
  readonly secret: boolean;
};

/** An integration that gets its tools from a config: from a document that it names, or from a server. */
export type ConfiguredIntegration = {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  /** The settings (`parameters`) and, where `secret`, the credentials (`auth.parameters`). */
  readonly parameters: readonly ConfigParameter[];
  /** Whether a server lists the tools, which may need an access token. */
  readonly listsWithToken: boolean;
  /**
   * The tools of a config. Throws a ToolError for a config that is not right, an UpstreamError when what it
   * names fails.
   */
  tools(config: ToolConfig, context: IntegrationContext): Promise<readonly Tool[]>;
};
