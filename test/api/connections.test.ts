import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { newOrganization } from "../harness/api.ts";
import { browserSession } from "../harness/browser-session.ts";
import { issuerClient, startIssuer } from "../harness/issuer.ts";
import { listen } from "../harness/listen.ts";

const Created = z.looseObject({ id: z.string() });
const Connected = Created.extend({ status: z.string(), authorizeUrl: z.string().nullable() });
const Executed = z.object({ executionId: z.string(), status: z.string() });
const Approvals = z.object({
  items: z.array(z.looseObject({ kind: z.string(), authorizeUrl: z.string().nullable() })),
});

describe("a config with OAuth 2", () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let api: Awaited<ReturnType<typeof listen>>;
  let baseUrl: string;
  beforeAll(async () => {
    ({ baseUrl } = inject("stack"));
    issuer = await startIssuer([`${baseUrl}/v1/oauth/callback`]);
    api = await listen(
      createServer(async (request, response) => {
        const person = await issuer.findPerson(request.headers.authorization);
        response.writeHead(person ? 200 : 401, { "content-type": "application/json" });
        response.end(JSON.stringify({ person: person?.id ?? null }));
      }),
    );
  });
  afterAll(async () => {
    await api.close();
    await issuer.close();
  });

  const createConfig = async (own: Awaited<ReturnType<typeof newOrganization>>) => {
    const document = { openapi: "3.1.0", paths: { "/me": { get: { operationId: "me" } } } };
    const { body } = await own.send("POST", "/integration-configs", {
      integrationId: "openapi",
      displayName: "Files",
      parameters: { document: JSON.stringify(document), baseUrl: api.url },
      auth: {
        type: "oauth2",
        authorizationUrl: `${issuer.url}/auth`,
        tokenUrl: `${issuer.url}/token`,
        revocationUrl: `${issuer.url}/token/revocation`,
        clientId: issuerClient.id,
        clientSecret: issuerClient.secret,
        scopes: ["files.read"],
      },
    });
    const { id } = Created.parse(body);
    await own.send("POST", `/integration-configs/${id}:publish`, {});
    return id;
  };

  /** Opens a link, presses its button, gives consent, and returns the last page with its address. */
  const giveConsent = async (link: string) => {
    const browser = browserSession();
    const page = await browser.visit(link);
    expect(await page.text()).toContain("Connect Files");
    const form = { method: "POST", body: new URLSearchParams() };
    const foreign = await fetch(link, { ...form, headers: { "sec-fetch-site": "cross-site" } });
    expect([foreign.status, foreign.headers.get("set-cookie")]).toEqual([409, null]);
    expect(await foreign.text()).toContain("Another site sent this request");
    const sent = await browser.visit(link, form);
    expect(sent.status, await sent.text()).toBe(303);
    const { headers } = sent;
    expect(headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/);
    const callback = await browser.follow(
      headers.get("location") ?? "",
      `${baseUrl}/v1/oauth/callback`,
    );
    const stranger = await browserSession().visit(callback);
    expect([stranger.status, await stranger.text()]).toEqual([
      403,
      expect.stringContaining("another browser"),
    ]);
    const last = await browser.visit(callback);
    return {
      status: last.status,
      text: await last.text(),
      again: (await browser.visit(callback)).status,
    };
  };

  test("lets an execution wait until a person has given consent, refreshes, and revokes", async () => {
    const own = await newOrganization();
    const configId = await createConfig(own);
    const tools = await own.send("GET", `/integrations/openapi/tools?configId=${configId}`);
    expect(tools.body).toMatchObject({
      items: [
        {
          authSettings: {
            supportsOAuth: true,
            oAuth: [{ connectionStatus: null, scopes: ["files.read"] }],
          },
        },
      ],
    });
    const step = { id: "me", type: "Tool", integrationId: "openapi", toolId: "me", configId };
    await own.deployAgent("files", { flow: { steps: [step], edges: [] } });
    const execution = await own.try("POST", "/agents/files:execute", { body: { input: {} } });
    const { executionId, status } = Executed.parse(execution.body);
    expect(status).toBe("Waiting");
    const { items } = Approvals.parse((await own.send("GET", "/approvals")).body);
    expect(items[0]?.kind).toBe("Authorization");
    expect(items[0]?.authorizeUrl).toContain("/connection-links/");
    const end = await giveConsent(items[0]?.authorizeUrl ?? "");
    expect([end.status, end.again]).toEqual([200, 410]);
    expect(end.text).toContain("Connected");
    const record = `/agents/files/execution-records/${executionId}`;
    const readStatus = async () =>
      z.looseObject({ status: z.string() }).parse((await own.send("GET", record)).body).status;
    await expect.poll(readStatus, { timeout: 30_000 }).toBe("Succeeded");
    expect((await own.send("GET", record)).body).toMatchObject({ output: { person: "ada" } });

    const list = await own.send("GET", `/connections?integrationConfigId=${configId}`);
    const [connection] = z.object({ items: z.array(Connected) }).parse(list.body).items;
    expect(connection).toMatchObject({ status: "Active", authorizeUrl: null });
    const path = `/connections/${connection?.id}`;
    const refreshed = await own.send("POST", `${path}:refresh`);
    expect(Connected.parse(refreshed.body).status).toBe("Active");
    expect((await own.try("DELETE", path)).status).toBe(204);
    expect((await own.try("GET", path)).status).toBe(404);
    expect(issuer.counts["/token/revocation"]).toBe(1);
  }, 180_000);
});
