import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { createIntegrationConfig } from "../../lib/integrations/config/create-integration-config.ts";
import { publishIntegrationConfig } from "../../lib/integrations/config/publish-integration-config.ts";
import {
  CreateIntegrationConfigBody,
  UpdateIntegrationConfigBody,
} from "../../lib/integrations/config/schemas.ts";
import { getIntegrationConfig } from "../../lib/integrations/config/store.ts";
import { readContent } from "../../lib/integrations/config/to-integration-config.ts";
import { updateIntegrationConfig } from "../../lib/integrations/config/update-integration-config.ts";
import { beginConsent } from "../../lib/integrations/connection/begin-consent.ts";
import { verifyConnectionLink } from "../../lib/integrations/connection/connection-link.ts";
import type { ConnectionPeople } from "../../lib/integrations/connection/connection-owner.ts";
import { createConnection } from "../../lib/integrations/connection/create-connection.ts";
import { finishConsent } from "../../lib/integrations/connection/finish-consent.ts";
import type {
  Connection,
  CreateConnectionBody,
} from "../../lib/integrations/connection/schemas.ts";
import {
  requireConnection,
  showConnection,
} from "../../lib/integrations/connection/show-connection.ts";
import { configToolsLoader } from "../../lib/integrations/tools/config-tools.ts";
import { putNewTenant } from "../../lib/tenancy/tenant/store.ts";
import { browserSession } from "./browser-session.ts";
import { proofChecker } from "./check-proof.ts";
import { issuerClient, type startIssuer } from "./issuer.ts";
import { listen } from "./listen.ts";
import { testProcessor } from "./processor.ts";
import type { TestDatabase } from "./table.ts";
import { testTenant } from "./tenant.ts";

type Issuer = Pick<Awaited<ReturnType<typeof startIssuer>>, "url" | "findPerson">;

const document = {
  openapi: "3.1.0",
  paths: { "/me": { get: { operationId: "me" } } },
};

/** Waits for a twentieth of the time, so that other callers run meanwhile. */
const pauseShortly = (ms: number): Promise<void> => setTimeout(ms / 20);

/** A tenant with a config of an API that only takes the issuer's tokens. */
export const connectable = async (
  db: TestDatabase,
  issuer: Issuer,
  auth: object = {},
  tenant: Pick<ReturnType<typeof testTenant>, "ctx" | "deps" | "advance"> = testTenant(db),
  responseMs = 10_000,
) => {
  const { deps: own, advance } = tenant;
  const ctx = { ...tenant.ctx, advance };
  const tenantId = ctx.tenant.id;
  const times = { createdAt: 0, modifiedAt: 0 };
  await putNewTenant(db, { ...ctx.tenant, slug: tenantId, displayName: "T", ...times });
  const received: string[] = [];
  const refuse = { times: 0 };
  /** A scope without which the API refuses; null for none. */
  const wants: { scope: string | null } = { scope: null };
  const proofs = proofChecker(ctx.clock);
  const api = await listen(
    createServer(async (request, response) => {
      received.push(request.headers.authorization ?? "");
      const person = await issuer.findPerson(request.headers.authorization);
      const refusal =
        person?.jkt === undefined ? undefined : await proofs.refuse(request, person.jkt);
      if (refusal) {
        response.writeHead(401, refusal).end();
        return;
      }
      const isRefused = refuse.times > 0 || !person;
      if (refuse.times > 0) refuse.times -= 1;
      if (!isRefused && wants.scope !== null && !person.scope?.split(" ").includes(wants.scope)) {
        const challenge = `Bearer error="insufficient_scope", scope="${wants.scope}"`;
        response.writeHead(403, { "www-authenticate": challenge }).end();
        return;
      }
      response.writeHead(isRefused ? 401 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(person ? { person: person.id, scope: person.scope } : {}));
    }),
  );
  const deps = { ...own, runtime: ctx, sleep: pauseShortly, responseMs };
  const toBody = (displayName: string) =>
    CreateIntegrationConfigBody.parse({
      integrationId: "openapi",
      displayName,
      parameters: { document: JSON.stringify(document), baseUrl: api.url },
      auth: {
        type: "oauth2",
        authorizationUrl: `${issuer.url}/auth`,
        tokenUrl: `${issuer.url}/token`,
        revocationUrl: `${issuer.url}/token/revocation`,
        clientId: issuerClient.id,
        clientSecret: issuerClient.secret,
        scopes: ["files.read"],
        ...auth,
      },
    });
  const configure = async (displayName: string): Promise<string> => {
    const config = await createIntegrationConfig(deps, { ctx, body: toBody(displayName) });
    const { id } = config;
    await publishIntegrationConfig(deps, { ctx, configId: id, revision: undefined });
    return id;
  };
  const configId = await configure("Files");
  const loadTools = configToolsLoader(deps);
  const show = async (id: string) =>
    showConnection(deps, {
      ctx,
      item: await requireConnection(deps, { tenantId, connectionId: id }),
    });
  const begin = async (url: string) => {
    const token = url.split("/").at(-1) ?? "";
    const link = await verifyConnectionLink(deps, { tenant: ctx.tenant, token });
    return beginConsent(deps, { link, baseUrl: ctx.baseUrl });
  };
  const finish = (callback: string, cookies: Readonly<Record<string, string>>) =>
    finishConsent(deps, {
      parameters: new URL(callback).searchParams,
      cookie: (name) => cookies[name],
      baseUrl: ctx.baseUrl,
    });
  return {
    ctx,
    deps,
    loadTools,
    /** Publishes another address of the API. */
    moveApi: async () => {
      const parameters = { document: JSON.stringify(document), baseUrl: `${api.url}/moved` };
      const { auth } = toBody("Files");
      await updateIntegrationConfig(deps, { ctx, configId, body: { parameters, auth } });
      await publishIntegrationConfig(deps, { ctx, configId, revision: undefined });
    },
    configId,
    /** Publishes other members of the config's `auth`. */
    changeAuth: async (members: object) => {
      const item = await getIntegrationConfig(db, tenantId, configId);
      if (!item) throw new Error("there is no config");
      const auth = { ...readContent(item).auth, ...members };
      const body = UpdateIntegrationConfigBody.parse({ auth });
      await updateIntegrationConfig(deps, { ctx, configId, body });
      await publishIntegrationConfig(deps, { ctx, configId, revision: undefined });
    },
    /** Creates another config of the API; returns its id. */
    configure,
    received,
    refuse,
    wants,
    proofs,
    begin,
    finish,
    read: show,
    create: async (more: Partial<CreateConnectionBody> = {}): Promise<Connection> => {
      const request = { integrationConfigId: configId, ...more };
      const item = await createConnection(deps, { ctx, body: request });
      return showConnection(deps, { ctx, item });
    },
    /** Gives consent in a browser of its own. */
    consent: async ({ authorizeUrl }: { authorizeUrl: string | null }) => {
      const { url, cookie } = await begin(authorizeUrl ?? "");
      const callback = await browserSession().follow(url, ctx.baseUrl);
      return finish(callback, { [cookie.name]: cookie.value });
    },
    /** Calls the tool of the config. */
    call: async (people: ConnectionPeople = {}, load = loadTools) => {
      const signal = new AbortController().signal;
      const processor = testProcessor();
      const tools = await load(
        tenantId,
        { integrationId: "openapi", configId },
        { signal, processor, people: async () => people },
      );
      const tool = tools.get("me");
      if (!tool) throw new Error("there is no tool");
      return tool.run({}, { clock: ctx.clock, signal, processor });
    },
    close: api.close,
  };
};
