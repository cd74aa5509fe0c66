import { parseAddress } from "../../../platform/outgoing/parse-address.ts";
import { trimSlashes } from "../../../platform/runtime/trim-end.ts";
import type { Json } from "../../../values/json/json.ts";
import { ToolError } from "../tool.ts";
import type { OperationPlan } from "./plan-operation.ts";
import { objectIn, textIn } from "./read.ts";
import type { Settings } from "./settings.ts";

/** Base URL of an operation, without a trailing slash. */
export type Server = {
  readonly base: string;
  /** Whether the config names this origin, so that its credentials may be sent there. */
  readonly isNamed: boolean;
};

/** Returns the server of an operation: the config's, or the first of the document. */
export const selectServer = (
  { servers }: OperationPlan,
  { base, documentUrl }: Settings,
): Server => {
  if (base !== undefined) return { base, isNamed: true };
  const text = servers[0] === undefined ? "/" : serverUrl(servers[0]);
  const url = parseAddress(text, documentUrl);
  if (!url) {
    throw new ToolError('The document names no server: set "baseUrl" in the config.');
  }
  const isNamed = documentUrl !== undefined && new URL(documentUrl).origin === url.origin;
  return { base: trimSlashes(`${url.origin}${url.pathname}`), isNamed };
};

/** Returns the server's URL with the defaults of its variables. */
export const serverUrl = (server: Json): string =>
  (textIn(server, "url") ?? "/").replaceAll(
    /\{([^{}]+)\}/g,
    (_, name: string) => textIn(objectIn(objectIn(server, "variables"), name), "default") ?? "",
  );
