import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { routes } from "../../functions/routes.ts";
import {
  call,
  checkEveryHeader,
  expectProblem,
  newOrganization,
  stack,
  type TestResponse,
} from "../harness/api.ts";
import { undisturbed } from "../harness/undisturbed.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const isReplay = ({ headers }: TestResponse) => headers.get("idempotency-replayed") === "true";
const Page = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });

describe("an Idempotency-Key", () => {
  let own: Organization;

  beforeAll(async () => {
    own = await newOrganization();
    await own.deployAgent("runner", {
      parametersMetadata: [{ name: "text", type: "String" }],
      flow: { steps: [{ id: "out", type: "Output", value: "{% input.text %}" }], edges: [] },
    });
    await own.deployAgent("failing", {
      flow: {
        steps: [
          {
            id: "sum",
            type: "Tool",
            integrationId: "system",
            toolId: "calculate",
            parameters: { expression: "1 +" },
          },
        ],
        edges: [],
      },
    });
  });

  const once = (key: string) => ({ "Idempotency-Key": key });
  const listRecords = async (agent: string) =>
    Page.parse((await own.send("GET", `/agents/${agent}/execution-records`)).body).items;

  test("creates an agent once, and replays the response", async () => {
    const headers = once(randomUUID());
    const body = { displayName: "Once" };
    const first = await own.try("POST", "/agents", { headers, body });
    const again = await own.try("POST", "/agents", { headers, body });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect([isReplay(first), isReplay(again)]).toEqual([false, true]);
    checkEveryHeader(again);
    expect(again.headers.get("content-type")).toBe("application/json");
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    const { items } = Page.parse((await own.send("GET", "/agents?PageSize=200")).body);
    expect(items.filter(({ displayName }) => displayName === "Once")).toHaveLength(1);
  });

  test("names the same request under a tenant's id and slug, and an encoded colon", async () => {
    const headers = once(randomUUID());
    const body = { input: { text: "same" } };
    const send = (path: string) => call("POST", path, { token: own.token, headers, body });
    const first = await send(`${own.base}/agents/runner:execute`);
    const bySlug = await send(`/v1/tenants/${own.slug}/agents/runner%3Aexecute`);
    expect(bySlug.text).toBe(first.text);
    expect(isReplay(bySlug)).toBe(true);
  });

  test("used again with another body is 422", async () => {
    const headers = once(randomUUID());
    await own.try("POST", "/agents", { headers, body: { displayName: "One" } });
    const other = await own.try("POST", "/agents", { headers, body: { displayName: "Two" } });
    expect(other.status).toBe(422);
    expect(expectProblem(other).slug).toBe("idempotency-mismatch");
  });

  test("belongs to its caller alone", async () => {
    const headers = once(randomUUID());
    const body = { displayName: "Mine" };
    const colleague = await own.mintKey(["agents:write"]);
    const stranger = await newOrganization();
    const mine = await own.try("POST", "/agents", { headers, body });
    const theirs = await own.try("POST", "/agents", {
      headers,
      body,
      token: undefined,
      key: colleague,
    });
    const strangers = await stranger.try("POST", "/agents", { headers, body });
    const ids = [mine, theirs, strangers].map(
      (response) => z.looseObject({ id: z.string() }).parse(response.body).id,
    );
    expect(new Set(ids).size).toBe(3);
    expect([mine, theirs, strangers].some(isReplay)).toBe(false);
  });

  test("never replays to a caller who may no longer make the call", async () => {
    const headers = once(randomUUID());
    const body = { displayName: "x" };
    const demoted = await stack().token({ org: own.org, role: "read-only" });
    expect((await own.try("POST", "/agents", { headers, body })).status).toBe(201);
    const refused = await own.try("POST", "/agents", { headers, body, token: demoted });
    expect(expectProblem(refused).slug).toBe("insufficient-scope");
  });

  test("lets an API key be minted once; the replay is the same record without the key", async () => {
    const headers = once(randomUUID());
    const body = { name: "once", scopes: ["agents:read"] };
    const first = await own.try("POST", "/apiKeys:generate", { headers, body });
    const again = await own.try("POST", "/apiKeys:generate", { headers, body });
    const issued = z.looseObject({ key: z.string().min(1) }).parse(first.body);
    expect(isReplay(again)).toBe(true);
    expect(again.status).toBe(201);
    expect(again.body).toEqual({ ...issued, key: null });
  });

  test("executes an agent once: one response, one record", async () => {
    const headers = once(randomUUID());
    const before = await listRecords("runner");
    const body = { input: { text: "once" } };
    const first = await own.try("POST", "/agents/runner:execute", { headers, body });
    const again = await own.try("POST", "/agents/runner:execute", { headers, body });
    expect(first.body).toMatchObject({ status: "Succeeded", output: "once" });
    expect(again.text).toBe(first.text);
    expect(isReplay(again)).toBe(true);
    expect(await listRecords("runner")).toHaveLength(before.length + 1);
  });

  test("does not execute a failed call again", async () => {
    const headers = once(randomUUID());
    const first = await own.try("POST", "/agents/failing:execute", { headers, body: {} });
    const again = await own.try("POST", "/agents/failing:execute", { headers, body: {} });
    const { requestId: _, ...problem } = expectProblem(first);
    expect(problem).toMatchObject({ slug: "execution-failed", status: 422 });
    expect(expectProblem(again)).toMatchObject(problem);
    expect(isReplay(again)).toBe(true);
    expect(await listRecords("failing")).toHaveLength(1);
  });

  test("replays an output that is larger than an item of the table", {
    tags: "nightly",
  }, async () => {
    const headers = once(randomUUID());
    const noise = randomBytes(450_000).toString("base64");
    const body = { input: { text: noise } };
    const first = await own.try("POST", "/agents/runner:execute", { headers, body });
    const again = await own.try("POST", "/agents/runner:execute", { headers, body });
    expect(first.status).toBe(200);
    expect(isReplay(again)).toBe(true);
    expect(again.text === first.text).toBe(true);
  });

  test("counts on PATCH", async () => {
    await own.send("POST", "/agents", { id: "patched", displayName: "A" });
    const headers = once(randomUUID());
    const patch = (body: object) => own.try("PATCH", "/agents/patched", { headers, body });
    const first = await patch({ displayName: "B" });
    await own.send("PATCH", "/agents/patched", { displayName: "C" });
    const again = await patch({ displayName: "B" });
    expect(again.text).toBe(first.text);
    expect(isReplay(again)).toBe(true);
    expect((await own.send("GET", "/agents/patched")).body).toMatchObject({ displayName: "C" });
    expect((await patch({ displayName: "D" })).status).toBe(422);
  });

  test("counts where there is no tenant", async () => {
    const headers = once(randomUUID());
    const body = { slug: `once-${randomUUID().slice(0, 18)}`, displayName: "Once" };
    const create = () => call("POST", "/v1/tenants", { token: own.token, headers, body });
    const [first, again] = [await create(), await create()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(isReplay(again)).toBe(true);
  });

  test("of a rejected request may be used again", async () => {
    const headers = once(randomUUID());
    await own.send("POST", "/agents", { id: "taken", displayName: "x" });
    const send = (body: object) => own.try("POST", "/agents", { headers, body });
    expect((await send({ displayName: 7 })).status).toBe(400);
    expect((await send({ id: "taken", displayName: "x" })).status).toBe(409);
    expect((await send({ id: "free", displayName: "x" })).status).toBe(201);
  });

  test.each([
    ["too long", "k".repeat(256)],
    ["empty", ""],
    ["not ASCII", "\u00fc"],
  ])("that is %s is 400", async (_, key) => {
    const response = await own.try("POST", "/agents", {
      headers: once(key),
      body: { displayName: "x" },
    });
    expect(response.status).toBe(400);
    expect(expectProblem(response)).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "header/Idempotency-Key" }],
    });
  });

  test("is ignored by GET", async () => {
    await own.send("POST", "/agents", { id: "read", displayName: "A" });
    const headers = once("k".repeat(256));
    const read = () => own.try("GET", "/agents/read", { headers });
    expect((await read()).status).toBe(200);
    await own.send("PATCH", "/agents/read", { displayName: "B" });
    const after = await read();
    expect(after.body).toMatchObject({ displayName: "B" });
    expect(isReplay(after)).toBe(false);
  });

  test("used by twenty concurrent requests does the work once", async () => {
    const headers = once(randomUUID());
    const body = { displayName: "Crowd" };
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => own.try("POST", "/agents", { headers, body })),
    );
    const fresh = responses.filter((response) => response.status === 201 && !isReplay(response));
    expect(fresh).toHaveLength(1);
    for (const response of responses) {
      checkEveryHeader(response);
      if (response.status === 201) expect(response.text).toBe(fresh[0]?.text);
      else expect(expectProblem(response).slug).toBe("conflict");
    }
  });

  test("costs two storage calls for the first request, and one in place of the work again", async () => {
    await own.send("POST", "/agents", { id: "cost", displayName: "A" });
    const caller = { token: undefined, key: await own.mintKey(["agents:write"]) };
    const countCalls = async (headers: Record<string, string>) => {
      await stack().storageCalls.reset();
      await own.try("PATCH", "/agents/cost", { ...caller, headers, body: { displayName: "B" } });
      const calls = Object.entries(await stack().storageCalls.read());
      return Object.fromEntries(
        calls
          .filter(([name]) => name.includes("update-agent"))
          .flatMap(([, of]) => Object.entries(of)),
      );
    };
    await undisturbed(async () => {
      const headers = once(randomUUID());
      await countCalls({});
      const without = await countCalls({});
      const updates = without["dynamodb:UpdateItem"] ?? 0;
      expect(await countCalls(headers)).toEqual({
        ...without,
        "dynamodb:UpdateItem": updates + 2,
      });
      expect(await countCalls(headers)).toEqual({
        "dynamodb:UpdateItem": 2,
        // The role of the user who minted the key.
        "dynamodb:GetItem": 1,
      });
    });
  });
});

describe("members of a response that are shown once", () => {
  const Response = z.instanceof(z.ZodObject);
  const secrets = ["key", "signingSecret", "mcpKey", "uploadUrl"];
  /** Names that are no secrets elsewhere. */
  const secretsByOperation: Record<string, string[]> = {
    "create-feedback-link": ["url"],
    "create-approval-link": ["url"],
  };

  test("are declared by every row that responds with a secret, and a new API key is a string", () => {
    for (const { operation, method, response, shownOnce } of routes) {
      const schema = Response.safeParse(response.schema).data;
      if (method === "GET" || !schema) continue;
      const isSecret = (name: string) =>
        [...secrets, ...(secretsByOperation[operation] ?? [])].includes(name);
      const shown = Object.keys(schema.shape).filter(isSecret);
      expect(shownOnce, operation).toEqual(shown);
      if (shown.includes("key")) expect(schema.shape.key?.safeParse(null).success).toBe(false);
    }
  });
});
