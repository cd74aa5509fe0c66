import { decodeJwt } from "jose";
import * as z from "zod";
import { browserSession } from "./browser-session.ts";

/*
 * Calls a server of the official conformance suite as the product's client: its address is the last argument. Connects an account
 * first where the scenario is about authorization. Lists the server's tools through a config of `mcp`, and runs them.
 */

const {
  WHARF_TENANT_URL = "",
  WHARF_TOKEN = "",
  MCP_CONFORMANCE_SCENARIO = "",
  MCP_CONFORMANCE_CONTEXT = "{}",
} = process.env;

const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const response = await fetch(`${WHARF_TENANT_URL}${path}`, {
    method,
    headers: { Authorization: `Bearer ${WHARF_TOKEN}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
};

const Created = z.object({ id: z.string() });

/** Gives consent as the person who opens the address of a connection. The issuers of the suite ask nothing. */
const giveConsent = async (authorizeUrl: string): Promise<void> => {
  const browser = browserSession();
  const { origin } = new URL(WHARF_TENANT_URL);
  const begun = await browser.visit(authorizeUrl, { method: "POST", body: new URLSearchParams() });
  const location = begun.headers.get("location");
  if (location === null) throw new Error(`${begun.status} ${await begun.text()}`);
  const callback = await browser.follow(location, `${origin}/v1/oauth/callback`);
  const finished = await browser.visit(callback);
  if (!finished.ok) throw new Error(`${finished.status} ${await finished.text()}`);
};

/** Context of the scenario. Without a registered client, the product finds a way to be known. */
const Registered = z
  .object({
    client_id: z.string(),
    client_secret: z.string(),
    private_key_pem: z.string(),
    /** A token of a workload. */
    valid_jwt: z.string(),
    idp_issuer: z.string(),
    idp_client_id: z.string(),
    idp_id_token: z.string(),
  })
  .partial();

const connect = async (configId: string, scopes: readonly string[] = []): Promise<void> => {
  const { authorizeUrl } = z.object({ authorizeUrl: z.string().nullable() }).parse(
    await send("POST", "/connections", {
      integrationConfigId: configId,
      ...(scopes.length > 0 && { scopes }),
    }),
  );
  if (authorizeUrl !== null) await giveConsent(authorizeUrl);
};

const isAuthorized = MCP_CONFORMANCE_SCENARIO.startsWith("auth/");
const context: unknown = JSON.parse(MCP_CONFORMANCE_CONTEXT);
const { client_id, client_secret, private_key_pem, valid_jwt, ...idp } = Registered.parse(context);
const isClientItself = MCP_CONFORMANCE_SCENARIO.includes("client-credentials");
const isSignedIn = idp.idp_id_token !== undefined;
const isPersonless = isClientItself || isSignedIn || valid_jwt !== undefined;
const url = process.argv.at(-1) ?? "";
/** A server of 2025-03-26 has no metadata of a protected resource: its config has to name the issuer. */
const isUndiscoverable = MCP_CONFORMANCE_SCENARIO.startsWith("auth/2025-03-26-");
const auth = {
  type: "oauth2",
  ...(client_id !== undefined && { clientId: client_id }),
  ...(client_secret !== undefined && { clientSecret: client_secret }),
  ...(private_key_pem !== undefined && { clientPrivateKey: private_key_pem }),
  // The metadata of the server does not say that it needs it.
  ...(MCP_CONFORMANCE_SCENARIO.includes("dpop") && { dpop: true }),
  ...(isClientItself && { grant: "client_credentials" }),
  // Its audience is the issuer that it may be sent to.
  ...(valid_jwt !== undefined && {
    grant: "jwt-bearer",
    assertion: valid_jwt,
    issuer: z.string().parse(decodeJwt(valid_jwt).aud),
  }),
  ...(isSignedIn && {
    grant: "id-jag",
    identityProviderIssuer: idp.idp_issuer,
    identityProviderClientId: idp.idp_client_id,
    idToken: idp.idp_id_token,
  }),
  ...(isUndiscoverable && { issuer: new URL(url).origin }),
};
const { id: configId } = Created.parse(
  await send("POST", "/integration-configs", {
    integrationId: "mcp",
    parameters: { url },
    ...(isAuthorized && { auth }),
  }),
);
await send("POST", `/integration-configs/${configId}:publish`);
if (isAuthorized && !isPersonless) await connect(configId);

/** Sends a request. If it fails because a consent is missing, connects the account with the scopes that are named, and sends it again. */
const withConsent = async (path: string, method: string, body?: unknown): Promise<unknown> => {
  try {
    return await send(method, path, body);
  } catch (error) {
    const { message } = z.instanceof(Error).parse(error);
    const [, scopes] = /needs the scopes \\"([^"\\]*)/.exec(message) ?? [];
    if (scopes === undefined && !message.includes("is not connected")) throw error;
    await connect(configId, scopes?.split(" "));
    return send(method, path, body);
  }
};

const Tools = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      parametersMetadata: z.array(z.looseObject({ name: z.string(), type: z.string() })),
    }),
  ),
});
const Calls = z.object({
  toolCalls: z
    .array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
    .optional(),
});

const { items } = Tools.parse(
  await withConsent(`/integrations/mcp/tools?configId=${configId}`, "GET"),
);
/** The calls that the scenario asks for, or one of every tool. Values are strings, which the product converts. */
const calls =
  Calls.parse(context).toolCalls ??
  items.map(({ id, parametersMetadata }) => ({
    name: id,
    arguments: Object.fromEntries(
      parametersMetadata.map(({ name, type }) => [name, type === "Boolean" ? "true" : "5"]),
    ),
  }));
for (const { name, arguments: given } of calls) {
  const values = Object.entries(given).filter(([, value]) => value !== null);
  const parameters = Object.fromEntries(values.map(([key, value]) => [key, `${value}`]));
  const path = `/integrations/mcp/tools/${name}:run`;
  console.log(await withConsent(path, "POST", { configId, parameters }));
}
