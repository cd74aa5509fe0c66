import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import type { LocalHandler } from "../gateway/local-handler.ts";
import { type IssuerKey, readIdTokenSession, toJwks } from "../issuer.ts";
import { escapeHtml, sendPage } from "../page.ts";
import { seedNames } from "../seed.ts";
import {
  type AuthorizationRequest,
  parseAuthorizationRequest,
  redirectTo,
} from "./authorization-request.ts";
import { isSignOutRedirectAllowed, parseOrigin } from "./clients.ts";
import { grantScopes, supportedScopes } from "./grant-scopes.ts";
import { createGrants, type Grants } from "./grants.ts";
import { type roles, sendSignInPage } from "./sign-in-page.ts";
import { respondWithTokens } from "./token-request.ts";

/** Endpoints of the local issuer. */
const paths = {
  metadata: "/.well-known/openid-configuration",
  serverMetadata: "/.well-known/oauth-authorization-server",
  keys: "/.well-known/jwks.json",
  authorize: "/oauth2/authorize",
  token: "/oauth2/token",
  logout: "/oauth2/logout",
} as const;

const largestForm = 32_768;

/** Creates the sign-in of the local issuer: authorization code with PKCE, for the console and programs here. */
export const createSignIn = (key: IssuerKey, grants: Grants = createGrants()): LocalHandler => {
  const endpoints: Readonly<Record<string, Endpoint>> = {
    [`GET ${paths.metadata}`]: async ({ response, origin }) =>
      sendJson(response, 200, buildMetadata(origin)),
    [`GET ${paths.serverMetadata}`]: async ({ response, origin }) =>
      sendJson(response, 200, buildMetadata(origin)),
    [`GET ${paths.keys}`]: async ({ response }) => sendJson(response, 200, toJwks(key)),
    [`GET ${paths.authorize}`]: showPage,
    [`POST ${paths.authorize}`]: (call) => acceptForm(call, grants),
    [`POST ${paths.token}`]: async ({ response, origin, parameters }) => {
      const { status, body } = await respondWithTokens(parameters, { grants, key, origin });
      sendJson(response, status, body);
    },
    [`GET ${paths.logout}`]: async (call) => signOut(call, key, grants),
  };
  const known: ReadonlySet<string> = new Set(Object.values(paths));
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://local");
    if (!known.has(pathname)) return false;
    const endpoint = endpoints[`${request.method} ${pathname}`];
    const origin = parseOrigin(request.headers.host);
    if (!endpoint || origin === undefined) {
      sendError(response, endpoint ? 400 : 405, endpoint ? "Unknown host name." : "Wrong method.");
      return true;
    }
    readParameters(request, searchParams)
      .then((parameters) => endpoint({ response, origin, parameters }))
      .catch((error: unknown) => {
        sendError(response, 400, error instanceof Error ? error.message : String(error));
      });
    return true;
  };
};

type Call = { response: ServerResponse; origin: string; parameters: URLSearchParams };
type Endpoint = (call: Call) => Promise<void>;

const buildMetadata = (origin: string): Readonly<Record<string, unknown>> => ({
  issuer: origin,
  authorization_endpoint: `${origin}${paths.authorize}`,
  token_endpoint: `${origin}${paths.token}`,
  end_session_endpoint: `${origin}${paths.logout}`,
  jwks_uri: `${origin}${paths.keys}`,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["ES256"],
  scopes_supported: supportedScopes,
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  claims_supported: ["sub", "email"],
});

/** Returns the valid authorization request of a call; responds with its error otherwise. */
const readAuthorizationRequest = async ({
  response,
  parameters,
  origin,
}: Call): Promise<AuthorizationRequest | undefined> => {
  const parsed = await parseAuthorizationRequest(parameters, origin);
  if (parsed.type === "valid") return parsed.request;
  if (parsed.type === "redirect") redirect(response, parsed.location);
  else sendError(response, 400, parsed.detail);
  return undefined;
};

const showPage = async (call: Call): Promise<void> => {
  const request = await readAuthorizationRequest(call);
  if (request) {
    sendSignInPage(call.response, { request, user: seedNames.admin, role: "admin" });
  }
};

const Choice = z.object({
  user: z.email("The email address is not valid.").max(255),
  role: z.enum(
    ["admin", "builder", "runner", "read-only"] satisfies (keyof typeof roles)[],
    "Choose a role.",
  ),
});

const acceptForm = async (
  { response, origin, parameters }: Call,
  grants: Grants,
): Promise<void> => {
  const given = { user: parameters.get("user") ?? "", role: parameters.get("role") ?? "" };
  parameters.delete("user");
  parameters.delete("role");
  const request = await readAuthorizationRequest({ response, origin, parameters });
  if (!request) return;
  const choice = Choice.safeParse(given);
  if (!choice.success) {
    const error = choice.error.issues[0]?.message ?? "";
    sendSignInPage(response, { request, ...given, error });
    return;
  }
  const answer = { state: request.state, iss: origin };
  const scopes = grantScopes(request, choice.data.role);
  if (scopes.length === 0) {
    const denied = {
      error: "access_denied",
      error_description: `The role "${choice.data.role}" has no scope that the client asks for.`,
    };
    redirect(response, redirectTo(request.redirect_uri, { ...denied, ...answer }));
    return;
  }
  const code = grants.createCode({
    clientId: request.client_id,
    redirectUri: request.redirect_uri,
    codeChallenge: request.code_challenge,
    nonce: request.nonce,
    resource: request.resource,
    scopes,
    signedIn: { org: seedNames.organizationId, ...choice.data },
  });
  redirect(response, redirectTo(request.redirect_uri, { code, ...answer }));
};

const signOut = async (
  { response, origin, parameters }: Call,
  key: IssuerKey,
  grants: Grants,
): Promise<void> => {
  const session = await readIdTokenSession(key, parameters.get("id_token_hint") ?? "");
  if (session !== undefined) grants.endSession(session);
  const target = parameters.get("post_logout_redirect_uri");
  if (target === null) {
    sendPage(response, 200, { title: "Signed out", body: "<p>You can close this page.</p>" });
  } else if (isSignOutRedirectAllowed(target, origin)) {
    redirect(response, redirectTo(target, { state: parameters.get("state") ?? undefined }));
  } else {
    sendError(response, 400, `The sign-out may not return to ${target}.`);
  }
};

const readParameters = async (
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<URLSearchParams> => {
  if (request.method !== "POST") return query;
  const type = request.headers["content-type"]?.split(";")[0]?.trim();
  if (type !== "application/x-www-form-urlencoded") {
    throw new Error("The content type must be application/x-www-form-urlencoded.");
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > largestForm) throw new Error("The form is too large.");
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
};

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(JSON.stringify(body));
};

const sendError = (response: ServerResponse, status: number, detail: string): void => {
  sendPage(response, status, { title: "Cannot sign in", body: `<p>${escapeHtml(detail)}</p>` });
};

const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(303, { Location: location, "Cache-Control": "no-store" });
  response.end();
};
