import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen.ts";

/** A response of the token endpoint, or of that of revocations; `hang` to never respond. `before`: is completed before it. */
export type TokenResponse =
  | {
      status?: number;
      type?: string;
      body?: object | string;
      nonce?: string;
      before?: () => Promise<unknown>;
    }
  | "hang";

/** Tokens of one consent at an issuer that rotates. */
type RotatedGrant = { refreshToken: string; accessTokens: string[]; isOver: boolean };

/**
 * Starts an authorization server that does what a test says: it gives consent to whoever asks, with other parameters if
 * `authorization` says so, and responds at its token endpoint as `next` says. With `rotation.isStrict` it accepts a refresh token once,
 * whatever it responds then, and ends the grant of one that is used again.
 */
export const startWrongIssuer = async () => {
  const authorization: Record<string, string> = {};
  const next: TokenResponse[] = [];
  const requests: URLSearchParams[] = [];
  const proofs: (string | undefined)[] = [];
  /** Metadata of the issuer, next to its addresses. */
  const metadata: Record<string, unknown> = {};
  const valid = new Set<string>();
  let issued = 0;
  const rotation = { isStrict: false, reuses: 0 };
  const grants = new Map<string, RotatedGrant>();
  /** Uses a refresh token up, if there is one. Returns false for one that was used, or of an ended grant. */
  const rotate = (used: string | null): boolean => {
    const grant = grants.get(used ?? "") ?? { refreshToken: "", accessTokens: [], isOver: false };
    if (used !== null && (grant.isOver || grant.refreshToken !== used)) {
      grant.isOver = true;
      rotation.reuses += 1;
      for (const token of grant.accessTokens) valid.delete(token);
      return false;
    }
    issued += 1;
    grant.refreshToken = `refresh-${issued}`;
    grant.accessTokens.push(`access-${issued}`);
    grants.set(grant.refreshToken, grant);
    return true;
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://any");
    if (url.pathname === "/.well-known/oauth-authorization-server") {
      const origin = `http://${request.headers.host}`;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ issuer: origin, ...metadata }));
      return;
    }
    if (url.pathname.includes("/.well-known/")) {
      response.writeHead(404).end();
      return;
    }
    if (url.pathname === "/auth") {
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      const state = url.searchParams.get("state") ?? "";
      const given = { code: "a-code", state, ...authorization };
      for (const [name, value] of Object.entries(given)) back.searchParams.set(name, value);
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    const parameters = new URLSearchParams(await text(request));
    requests.push(parameters);
    proofs.push(request.headers.dpop?.toString());
    if (rotation.isStrict && !rotate(parameters.get("refresh_token"))) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "invalid_grant" }));
      return;
    }
    const wanted = next.shift() ?? {};
    if (wanted === "hang") return;
    if (!rotation.isStrict) issued += 1;
    const token = { access_token: `access-${issued}`, token_type: "Bearer", expires_in: 600 };
    const usual = { ...token, refresh_token: `refresh-${issued}` };
    await wanted.before?.();
    const { status = 200, type = "application/json", body = usual, nonce } = wanted;
    if (status === 200) valid.add(`access-${issued}`);
    response.writeHead(status, {
      "content-type": type,
      ...(nonce !== undefined && { "dpop-nonce": nonce }),
    });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const { url, close } = await listen(server);
  return {
    url,
    close,
    authorization,
    next,
    requests,
    proofs,
    metadata,
    rotation,
    findPerson: async (header: string | undefined) => {
      const token = header?.replace(/^(Bearer|DPoP) /, "") ?? "";
      return valid.has(token)
        ? {
            id: token.replace("access", "holder"),
            scope: "files.read",
            aud: undefined,
            jkt: undefined,
          }
        : undefined;
    },
  };
};
