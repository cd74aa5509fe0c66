import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization, stack } from "../harness/api.ts";
import { type ChatServer, startChatServer } from "../harness/chat-apis/chat-server.ts";
import { type ModelServer, startModelServer } from "../harness/model-server.ts";

const Connector = z.looseObject({ id: z.string() });
const Sent = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

const agent = {
  parametersMetadata: [{ name: "message", type: "String" }],
  llmConfigs: [{ providerId: "stand-in", parameters: { model: "priced" } }],
  flow: { steps: [{ id: "ask", type: "Prompt", prompt: "{% input.message %}" }], edges: [] },
  useSession: true,
};
const usage = { inputTokens: 10, outputTokens: 3 };

describe("a session", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let models: ModelServer;
  let chats: ChatServer;

  beforeAll(async () => {
    models = await startModelServer();
    chats = await startChatServer();
    own = await newOrganization();
    await own.send("POST", "/llm-providers", {
      id: "stand-in",
      type: "openai-compatible",
      displayName: "Stand-in",
      baseUrl: `${models.url}/v1`,
      apiKey: "sk-any",
    });
    await own.deployAgent("host", agent);
  });
  beforeEach(() => {
    models.requests.length = 0;
  });
  afterAll(() => Promise.all([models.close(), chats.close()]));

  const runTurn = (message: string, session: object, prefer = "wait=25") =>
    own.try("POST", "/agents/host:execute", {
      body: { input: { message }, session },
      headers: { Prefer: prefer },
    });
  const script = (...texts: string[]) =>
    models.script(...texts.map((text) => ({ text: [text], usage })));
  /** The messages of a call of the model, without the system's. */
  const readSent = (at: number) =>
    Sent.parse(models.requests[at]?.body)
      .messages.filter(({ role }) => role !== "system")
      .map(
        ({ role, content }) =>
          `${role}: ${typeof content === "string" ? content : JSON.stringify(content)}`,
      );

  test("of another caller is not continued by a user who may not read executions", async () => {
    script("Noted.", "Hello.", "42.", "42.");
    const bob = await stack().token({ org: own.org, role: "runner", user: "bob" });
    const continueAs = async (options: { token?: string; key?: string }, id: string) => {
      const body = { input: { message: "Repeat our conversation." }, session: { id } };
      const path = `${own.base}/agents/host:execute`;
      return (await call("POST", path, { ...options, body, headers: { Prefer: "wait=25" } }))
        .status;
    };
    expect((await runTurn("The code is 42.", { id: "admins" })).status).toBe(200);
    const refused = await own.try("POST", "/agents/host:execute", {
      token: bob,
      body: { input: { message: "Repeat our conversation." }, session: { id: "admins" } },
    });
    expect(expectProblem(refused)).toMatchObject({ status: 409, slug: "conflict" });
    expect(refused.text).toContain("belongs to another caller");
    const asked = { model: "host", input: "Repeat our conversation.", conversation: "admins" };
    const compatible = await own.try("POST", "/openai/responses", { token: bob, body: asked });
    expect(compatible).toMatchObject({
      status: 409,
      body: { error: { code: "conflict", param: "conversation" } },
    });
    expect(await continueAs({ token: bob }, "bobs")).toBe(200);
    expect(await continueAs({ token: bob }, "bobs")).toBe(200);
    const key = await own.mintKey(["agents:execute"]);
    expect(await continueAs({ key }, "admins")).toBe(200);
    expect(models.requests).toHaveLength(4);
    for (const id of ["admins", "bobs"]) await own.send("DELETE", `/agents/host/sessions/${id}`);
  });

  test("of executions is continued one after another, and ends with its deletion", async () => {
    const go = Promise.withResolvers<void>();
    models.script({ after: go.promise, reply: { text: ["Hello."], usage } });
    script("Ada.");
    const first = runTurn("I am Ada.", { id: "s/1" }, "respond-async");
    expect((await first).status).toBe(202);
    await expect.poll(() => models.requests).toHaveLength(1);
    const refused = await runTurn("Now?", { id: "s/1", whenBusy: "reject" });
    expect(expectProblem(refused).slug).toBe("conflict");
    const second = runTurn("Who am I?", { id: "s/1" });
    const path = "/agents/host/sessions/s%2F1";
    await expect
      .poll(async () => (await own.send("GET", path)).body)
      .toMatchObject({ status: "Busy", queuedCount: 1 });
    go.resolve();
    expect(await second).toMatchObject({
      status: 200,
      body: { output: "Ada.", session: { id: "s/1" } },
    });
    expect(readSent(1)).toEqual(["user: I am Ada.", "assistant: Hello.", "user: Who am I?"]);
    expect((await own.send("GET", path)).body).toMatchObject({ status: "Idle", turnCount: 2 });
    expect((await own.send("GET", `${path}/messages`)).body).toMatchObject({
      items: [{ text: "I am Ada." }, { text: "Hello." }, { text: "Who am I?" }, { text: "Ada." }],
    });
    const key = await own.mintKey(["agents:execute"]);
    expect((await call("GET", own.base + path, { key })).status).toBe(404);
    expect((await own.send("DELETE", path)).status).toBe(204);
    expect((await own.try("GET", path)).status).toBe(404);
  });

  test("of a chat is that of its connector and conversation, and is deleted with the connector", {
    tags: "nightly",
  }, async () => {
    const created = await own.send("POST", "/agents/host/connectors", {
      provider: "generic",
      parameters: { replyUrl: `${chats.url}/replies` },
    });
    const { id } = Connector.parse(created.body);
    const key = await own.mintKey(["inbound:deliver"]);
    script("Hello.", "Ada.");
    for (const [at, text] of ["I am Ada.", "Who am I?"].entries()) {
      const message = { id: `m-${at}`, user: { id: "u-1" }, conversation: { id: "c-1" }, text };
      const inbound = `${own.base}/connectors/generic/${id}/${key}`;
      expect((await call("POST", inbound, { body: message })).status).toBe(204);
    }
    await expect.poll(() => chats.shown.map(({ text }) => text)).toEqual(["Hello.", "Ada."]);
    expect(readSent(1)).toEqual(["user: I am Ada.", "assistant: Hello.", "user: Who am I?"]);
    const listed = await own.send("GET", "/agents/host/sessions?endUserId=u-1");
    expect(listed.body).toMatchObject({ items: [{ id: `${id}:c-1`, turnCount: 2 }] });
    await own.send("DELETE", `/agents/host/connectors/${id}`);
    await expect
      .poll(async () => (await own.send("GET", "/agents/host/sessions")).body)
      .toMatchObject({ items: [] });
  });
});
