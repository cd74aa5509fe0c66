import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen.ts";

/** The client of the identity provider. */
export const identityClient = { id: "wharf-at-the-company", secret: "secret-of-the-identity" };

/** A response of an exchange in place of the usual one. */
type Exchange = { status: number; body: object; before?: () => Promise<unknown> };

/**
 * Starts a company's identity provider: whoever asks is signed in, and ID tokens are exchanged for assertions (ID-JAG). It rotates refresh
 * tokens, and ends the session when an old one is used again; an ID token is refused after the next one.
 */
export const startIdentityProvider = async () => {
  const features = {
    ...{ offlineAccess: true, idTokens: true, suffix: "" },
    secret: identityClient.secret,
  };
  /** Responses of the next exchanges. */
  const exchanges: Exchange[] = [];
  const authorizations: URLSearchParams[] = [];
  const requests: URLSearchParams[] = [];
  const revoked: string[] = [];
  const proofs: unknown[] = [];
  const session = { issued: 0, isOver: false, challenge: "", hasRefresh: false };
  let own = "";

  const issue = () => {
    session.issued += 1;
    const at = session.issued;
    return {
      access_token: `identity-access-${at}`,
      token_type: "Bearer",
      expires_in: 3_600,
      ...(features.idTokens && { id_token: `header.id-token-${at}.signature${features.suffix}` }),
      ...(session.hasRefresh && { refresh_token: `identity-refresh-${at}` }),
    };
  };
  const refuse = (error: string) => ({ status: 400, body: { error } });
  const redeem = (sent: URLSearchParams) => {
    const verifier = sent.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (challenge !== session.challenge) return refuse("invalid_grant");
    session.isOver = false;
    return { status: 200, body: issue() };
  };
  const refresh = (sent: URLSearchParams) => {
    session.isOver ||= sent.get("refresh_token") !== `identity-refresh-${session.issued}`;
    return session.isOver ? refuse("invalid_grant") : { status: 200, body: issue() };
  };
  const exchange = (sent: URLSearchParams): Exchange => {
    const wanted = exchanges.shift();
    if (wanted) return wanted;
    const isCurrent = sent.get("subject_token") === `header.id-token-${session.issued}.signature`;
    if (session.isOver || !isCurrent) return refuse("invalid_grant");
    const body = {
      access_token: `assertion-${requests.length}`,
      issued_token_type: "urn:ietf:params:oauth:token-type:id-jag",
      token_type: "N_A",
      expires_in: 300,
    };
    return { status: 200, body };
  };
  const respond = (sent: URLSearchParams): Exchange => {
    const grant = sent.get("grant_type") ?? "";
    if (grant === "authorization_code") return redeem(sent);
    if (grant === "refresh_token") return refresh(sent);
    return grant.endsWith(":token-exchange") ? exchange(sent) : refuse("unsupported_grant_type");
  };
  const encodeClient = () =>
    Buffer.from(`${identityClient.id}:${features.secret}`).toString("base64");

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://any");
    const reply = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (pathname === "/.well-known/openid-configuration") {
      reply(200, {
        issuer: own,
        authorization_endpoint: `${own}/authorize`,
        token_endpoint: `${own}/token`,
        revocation_endpoint: `${own}/revoke`,
        scopes_supported: ["openid", ...(features.offlineAccess ? ["offline_access"] : [])],
        code_challenge_methods_supported: ["S256"],
      });
      return;
    }
    if (pathname === "/authorize") {
      authorizations.push(searchParams);
      session.challenge = searchParams.get("code_challenge") ?? "";
      session.hasRefresh = searchParams.get("scope")?.includes("offline_access") ?? false;
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", "a-code");
      back.searchParams.set("state", searchParams.get("state") ?? "");
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    if (request.method !== "POST") {
      response.writeHead(404).end();
      return;
    }
    const sent = new URLSearchParams(await text(request));
    if (request.headers.authorization !== `Basic ${encodeClient()}`) {
      reply(401, { error: "invalid_client" });
      return;
    }
    if (pathname === "/revoke") {
      revoked.push(sent.get("token") ?? "");
      response.writeHead(200).end();
      return;
    }
    requests.push(sent);
    proofs.push(request.headers.dpop);
    const { status, body, before } = respond(sent);
    await before?.();
    reply(status, body);
  });
  const { url, close } = await listen(server);
  own = url;
  return {
    url,
    close,
    features,
    exchanges,
    authorizations,
    revoked,
    proofs,
    /** Ends the session of the person. */
    end: () => {
      session.isOver = true;
    },
    /** Signs a person in elsewhere; returns the ID token. */
    signIn: () => {
      issue();
      return `header.id-token-${session.issued}.signature`;
    },
    /** Requests to the token endpoint, of one grant by the end of its name. */
    listRequests: (grant: string) =>
      requests.filter((request) => request.get("grant_type")?.endsWith(grant)),
  };
};
