import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { expectProblem, newOrganization, stack } from "../harness/api.ts";

const Destination = z.looseObject({
  id: z.string(),
  active: z.boolean(),
  signingSecret: z.string().nullable(),
});
const Message = z.object({
  id: z.string(),
  type: z.string(),
  tenantId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});
const done = { flow: { steps: [{ id: "out", type: "Output", value: 1 }], edges: [] } };
const failing = {
  flow: { steps: [{ id: "boom", type: "Output", value: "{% $error('plans') %}" }], edges: [] },
};
/** The first attempt after one that failed comes ten seconds later. */
const pollOptions = { timeout: 40_000, interval: 200 };

describe("alerts of the whole product", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const { url = "", headers } = request;
    received.push({ path: url, headers, body: await text(request) });
    response.writeHead(statuses.shift() ?? 204).end("x".repeat(100_000));
  });
  let base = "";

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    own = await newOrganization();
    await own.deployAgent("fine", done);
    await own.deployAgent("broken", failing);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const secrets: string[] = [];
  const listen = async (path: string, types: readonly string[]) => {
    const body = { url: base + path, eventTypes: types };
    const created = Destination.parse((await own.send("POST", "/event-destinations", body)).body);
    secrets.push(created.signingSecret ?? "");
    return created;
  };
  const at = (path: string) => received.filter((request) => request.path === path);
  const messagesAt = (path: string) => at(path).map(({ body }) => Message.parse(JSON.parse(body)));

  test("reach an organization's endpoint signed, and again under the same id when it failed", async () => {
    const { signingSecret } = await listen("/hook", [
      "api_key.issued",
      "agent.execution.completed",
    ]);
    statuses.push(500);
    await own.mintKey(["agents:read"]);
    await vi.waitFor(() => expect(at("/hook")).toHaveLength(2), pollOptions);
    const [first, second] = at("/hook");
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    await own.send("POST", "/agents/fine:execute", { input: {} });
    await vi.waitFor(
      () =>
        expect(messagesAt("/hook").map(({ type }) => type)).toContain("agent.execution.completed"),
      pollOptions,
    );
    for (const { headers, body } of at("/hook")) {
      const texts = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value)]),
      );
      expect(new Webhook(signingSecret ?? "").verify(body, texts)).toEqual(JSON.parse(body));
    }
  });

  test("deactivate an endpoint that responds with 410", async () => {
    const { id } = await listen("/gone", ["api_key.issued"]);
    const before = statuses.length;
    const moved = { url: `${base}/gone-for-good`, rotateSecret: true };
    await own.send("PATCH", `/event-destinations/${id}`, moved);
    expect(before).toBe(0);
    const others = await own.send("GET", "/event-destinations");
    for (const other of z.object({ items: z.array(Destination) }).parse(others.body).items) {
      if (other.id !== id) await own.send("DELETE", `/event-destinations/${other.id}`);
    }
    statuses.push(410);
    await own.mintKey(["agents:read"]);
    await vi.waitFor(async () => {
      const { body } = await own.send("GET", `/event-destinations/${id}`);
      expect(body).toMatchObject({ active: false, lastDelivery: { status: 410 } });
    }, pollOptions);
    expect(at("/gone-for-good")).toHaveLength(1);
  });

  test("can be tested: the response's status is returned, and no response is 502", async () => {
    const { id } = await listen("/try", ["agent.execution.failed"]);
    const tried = () => own.try("POST", `/event-destinations/${id}:test`);
    expect((await tried()).body).toEqual({ status: 204 });
    statuses.push(503);
    expect((await tried()).body).toEqual({ status: 503 });
    expect(messagesAt("/try").map(({ type }) => type)).toEqual([
      "destination.test",
      "destination.test",
    ]);
    const moved = { url: "http://127.0.0.1:9/x?token=abc", rotateSecret: true };
    await own.send("PATCH", `/event-destinations/${id}`, moved);
    const failed = await tried();
    expect(expectProblem(failed)).toMatchObject({
      slug: "upstream-failed",
      upstream: "127.0.0.1:9",
    });
    expect(failed.text).not.toContain("token");
    await own.send("DELETE", `/event-destinations/${id}`);
  });

  test("go to collaborators by mail, as they prefer, and are files here", async () => {
    const prefer = (user: string, alertPreferences: object) =>
      own.send("PUT", `/agents/broken/collaborators/${user}`, {
        role: "Viewer",
        email: `${user}-${own.slug}@example.com`,
        alertPreferences,
      });
    await prefer("ada", { errorAlerts: true });
    await prefer("bob", { budgetAlerts: true });
    const failed = await own.try("POST", "/agents/broken:execute", { body: { input: {} } });
    const { executionId } = z.looseObject({ executionId: z.string() }).parse(expectProblem(failed));
    const folder = join(stack().dataDir, "outbox");
    const mails = () =>
      (existsSync(folder) ? readdirSync(folder) : [])
        .map((name) => readFileSync(join(folder, name), "utf8"))
        .filter((mail) => mail.includes(own.slug));
    await vi.waitFor(() => expect(mails()).toHaveLength(1), pollOptions);
    const [mail = ""] = mails();
    expect(mail).toContain(`To: ada-${own.slug}@example.com\r\n`);
    expect(mail).toContain("Subject: [Wharf] An execution of broken failed\r\n");
    expect(mail).toContain(executionId);
    expect(mail).not.toContain("plans");
  });

  test("leave no secret in the logs", () => {
    const folder = join(stack().dataDir, "logs");
    const logs = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    expect(logs.join("")).toContain("notify-destination");
    expect(secrets.length).toBeGreaterThan(2);
    for (const secret of [...secrets, "token=abc"]) expect(logs.join("")).not.toContain(secret);
  });
});
