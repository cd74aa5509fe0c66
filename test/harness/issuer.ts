import { createServer } from "node:http";
import { Provider } from "oidc-provider";
import { listen } from "./listen.ts";

/** A client of the issuer. */
export const issuerClient = { id: "wharf", secret: "client-secret-of-wharf" };

/**
 * Starts `oidc-provider` as the authorization server of a service: it rotates refresh tokens, and ends a grant when an
 * old one is used again. The person is `person.id`, who gives consent unless `person.denies`.
 */
export const startIssuer = async (
  redirectUris: readonly string[],
  {
    configuration = {},
    resource,
    features = {},
    client = {},
  }: {
    configuration?: object;
    resource?: () => string;
    features?: object;
    /** Members of the client in place of its secret. */
    client?: object;
  } = {},
) => {
  const person = { id: "ada", denies: false };
  /** Requests of tokens are responded to after it. */
  const tokens: { after: Promise<void> | undefined } = { after: undefined };
  const counts: Record<string, number> = {};
  let provider: Provider | undefined;
  const answer = async (
    request: import("node:http").IncomingMessage,
    response: import("node:http").ServerResponse,
  ) => {
    if (!provider) throw new Error("the issuer is not ready");
    const path = request.url?.split("?")[0] ?? "";
    counts[path] = (counts[path] ?? 0) + 1;
    if (path === "/token") await tokens.after;
    if (!path.startsWith("/interaction/")) return provider.callback()(request, response);
    return interact(provider, request, response);
  };
  const interact = async (
    issuer: Provider,
    request: import("node:http").IncomingMessage,
    response: import("node:http").ServerResponse,
  ) => {
    const { prompt, params, session } = await issuer.interactionDetails(request, response);
    const finish = (result: object) =>
      issuer.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    if (person.denies) return finish({ error: "access_denied" });
    if (prompt.name === "login") return finish({ login: { accountId: person.id } });
    const grant = new issuer.Grant({
      accountId: session?.accountId ?? person.id,
      clientId: String(params.client_id),
    });
    const scope = String(params.scope ?? "");
    grant.addOIDCScope(scope);
    if (resource) grant.addResourceScope(resource(), scope);
    return finish({ consent: { grantId: await grant.save() } });
  };
  const server = createServer((request, response) => void answer(request, response));
  const { url, close } = await listen(server);
  provider = new Provider(url, {
    clients: [
      {
        client_id: issuerClient.id,
        client_secret: issuerClient.secret,
        ...client,
        redirect_uris: [...redirectUris],
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
        response_types: ["code"],
      },
    ],
    scopes: ["files.read", "files.write"],
    cookies: { keys: ["keys-of-a-test"] },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      introspection: { enabled: true },
      resourceIndicators: { enabled: false },
      ...features,
    },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    ttl: { AccessToken: 600, ClientCredentials: 600, Grant: 86_400, Session: 86_400 },
    ...configuration,
  });
  const issuer = provider;
  return {
    url,
    close,
    person,
    tokens,
    counts,
    /** Returns the person of an access token; undefined for one that is not valid. */
    findPerson: async (header: string | undefined) => {
      const token = await issuer.AccessToken.find(header?.replace(/^(Bearer|DPoP) /, "") ?? "");
      return token?.isValid
        ? { id: token.accountId, scope: token.scope, aud: token.aud, jkt: token.jkt }
        : undefined;
    },
  };
};
