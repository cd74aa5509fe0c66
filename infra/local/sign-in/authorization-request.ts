import * as z from "zod";
import { clientIds, findRedirects, isRedirectAllowed, isResource } from "./clients.ts";

const Parameters = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  response_type: z.literal("code", "response_type must be code"),
  code_challenge: z
    .string("code_challenge is required (PKCE)")
    .regex(/^[A-Za-z0-9_-]{43}$/, "code_challenge must be a base64url SHA-256"),
  code_challenge_method: z.literal("S256", "code_challenge_method must be S256"),
  response_mode: z.literal("query", "response_mode must be query").optional(),
  scope: z.string().optional(),
  state: z.string().max(4_096).optional(),
  nonce: z.string().max(4_096).optional(),
  prompt: z.string().optional(),
  resource: z.string().max(2_048).optional(),
});

/** A valid authorization request (RFC 6749, RFC 7636). */
export type AuthorizationRequest = z.output<typeof Parameters>;

/**
 * Result of parsing an authorization request. An error of the client or its address must not be sent to that
 * address; other errors are.
 */
export type ParsedRequest =
  | { type: "valid"; request: AuthorizationRequest }
  | { type: "refused"; detail: string }
  | { type: "redirect"; location: string };

/** Parses an authorization request that was sent to an origin. Fetches the metadata of a client that is a URL. */
export const parseAuthorizationRequest = async (
  parameters: URLSearchParams,
  origin: string,
): Promise<ParsedRequest> => {
  const [clientId, redirectUri] = [parameters.get("client_id"), parameters.get("redirect_uri")];
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) {
    return { type: "refused", detail: "A parameter is repeated." };
  }
  if (clientId === null || redirectUri === null) {
    return { type: "refused", detail: "client_id and redirect_uri are required." };
  }
  const registered = await findRedirects(clientId);
  if ("error" in registered) return { type: "refused", detail: registered.error };
  if (!isRedirectAllowed({ clientId, ...registered }, redirectUri, origin)) {
    return {
      type: "refused",
      detail: `The client "${clientId}" may not sign in at ${redirectUri}.`,
    };
  }
  const resource = parameters.get("resource");
  const isOwn = clientId === clientIds.console || clientId === clientIds.cli;
  if (resource === null ? !isOwn : !isResource(resource, origin)) {
    // Not at the client's address: the user has not seen who it is.
    return { type: "refused", detail: "The resource is no MCP server of this product." };
  }
  const parsed = Parameters.safeParse(Object.fromEntries(parameters));
  if (parsed.success && parsed.data.prompt === "none") {
    const detail = "The user must sign in.";
    return redirectWith({ redirectUri, origin, parameters, error: "login_required", detail });
  }
  if (parsed.success) return { type: "valid", request: parsed.data };
  const [issue] = parsed.error.issues;
  const error =
    issue?.path[0] === "response_type" ? "unsupported_response_type" : "invalid_request";
  const detail = issue?.message ?? "";
  return redirectWith({ redirectUri, origin, parameters, error, detail });
};

const redirectWith = ({
  redirectUri,
  origin,
  parameters,
  error,
  detail,
}: {
  redirectUri: string;
  origin: string;
  parameters: URLSearchParams;
  error: string;
  detail: string;
}): ParsedRequest => ({
  type: "redirect",
  location: redirectTo(redirectUri, {
    error,
    error_description: detail,
    state: parameters.get("state") ?? undefined,
    iss: origin,
  }),
});

/** Adds the parameters of a response to a redirect URI. */
export const redirectTo = (
  redirectUri: string,
  values: Readonly<Record<string, string | undefined>>,
): string => {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
};
