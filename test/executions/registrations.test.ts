import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { newOrganization } from "../harness/api.ts";
import { type ListenerServer, startListenerServer } from "../harness/listener-server.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Created = z.looseObject({ id: z.string() });

describe("a webhook whose provider has a published integration config", () => {
  let own: Organization;
  let server: ListenerServer;

  beforeAll(async () => {
    own = await newOrganization();
    server = await startListenerServer("github");
    const config = await own.send("POST", "/integration-configs", {
      integrationId: "github",
      parameters: { baseUrl: server.url },
      auth: { parameters: server.auth },
    });
    const { id } = Created.parse(config.body);
    await own.send("POST", `/integration-configs/${id}:publish`);
  });
  afterAll(() => server.close());

  test("gets a listener at the provider, which goes with it", async () => {
    const created = await own.send("POST", "/webhooks", {
      provider: "github",
      externalContext: "acme/app",
      filter: "push,issues",
    });
    expect(created.body).toMatchObject({ status: "PENDING", statusReason: null });
    const webhook = z.looseObject({ id: z.string(), webhookUrl: z.string() }).parse(created.body);
    const { signingSecret } = z.object({ signingSecret: z.string() }).parse(created.body);
    await expect
      .poll(async () => (await own.send("GET", `/webhooks/${webhook.id}`)).body, {
        timeout: 20_000,
      })
      .toMatchObject({ status: "ACTIVE" });
    expect(server.listeners).toMatchObject([
      {
        url: webhook.webhookUrl,
        settings: { events: ["push", "issues"], config: { secret: signingSecret } },
      },
    ]);
    await own.send("DELETE", `/webhooks/${webhook.id}`);
    await expect.poll(() => server.listeners, { timeout: 20_000 }).toEqual([]);
  });

  test("fails and says why when the provider refuses", async () => {
    const created = await own.send("POST", "/webhooks", {
      provider: "github",
      externalContext: "acme/unknown",
    });
    const { id } = Created.parse(created.body);
    await expect
      .poll(async () => (await own.send("GET", `/webhooks/${id}`)).body, { timeout: 20_000 })
      .toMatchObject({ status: "FAILED", statusReason: expect.stringContaining("(404)") });
  });
});
