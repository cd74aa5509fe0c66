import * as z from "zod";
import { parseAddress } from "../../../platform/outgoing/parse-address.ts";
import { type AccessToken, formatAuthorization, type Prover } from "../access-token.ts";
import type { ToolConfig } from "../integration.ts";
import { ToolError } from "../tool.ts";

/** Address of a remote server, and the headers of every request to it. */
export type RemoteServer = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Of an access token in the headers that is bound to a key. */
  readonly prover?: Prover | undefined;
};

const Parameters = z.object({ url: z.string(), headerName: z.string().nullish() });

/** Returns the server of a config. Throws a ToolError without credentials. `noun`: names the server in it. */
export const readRemoteServer = (
  { parameters, auth }: ToolConfig,
  noun = "an MCP server",
): RemoteServer => {
  const read = Parameters.safeParse(parameters);
  const url = read.success ? parseAddress(read.data.url) : undefined;
  if (!read.success || !url) {
    throw new ToolError(`The config needs the parameter "url": the https address of ${noun}.`);
  }
  const { token, headerValue } = auth;
  const headerName = read.data.headerName ?? auth.headerName;
  if ((headerName === undefined) !== (headerValue === undefined)) {
    throw new ToolError('"headerName" and "headerValue" belong together: one of them is missing.');
  }
  const headers = new Headers();
  try {
    if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
    if (headerName !== undefined && headerValue !== undefined) headers.set(headerName, headerValue);
  } catch {
    // The original error quotes the value.
    throw new ToolError("The credentials contain characters that are not allowed in headers.");
  }
  return { url, headers: Object.fromEntries(headers) };
};

/** Returns a server with an access token in place of the config's credential in `Authorization`. */
export const withToken = (
  server: RemoteServer,
  accessToken: AccessToken | undefined,
): RemoteServer =>
  accessToken === undefined
    ? server
    : {
        ...server,
        headers: { ...server.headers, authorization: formatAuthorization(accessToken) },
        prover: accessToken.prover,
      };
