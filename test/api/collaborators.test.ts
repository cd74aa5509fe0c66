import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization, stack } from "../harness/api.ts";
import { undisturbed } from "../harness/undisturbed.ts";

const People = z.array(z.looseObject({ userId: z.string(), role: z.string(), status: z.int() }));

describe("the collaborators of an agent", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  const creator = "someone@example.com";

  beforeAll(async () => {
    own = await newOrganization();
  });

  /** An agent with a deployed revision, made by the organization's admin. */
  const newAgent = async (id: string) => {
    await own.deployAgent(id, {
      flow: { steps: [{ id: "answer", type: "Output", value: "hi" }], edges: [] },
    });
    return `/agents/${id}`;
  };
  const people = async (agent: string) =>
    People.parse((await own.send("GET", `${agent}/collaborators`)).body);
  const put = (agent: string, user: string, body: unknown) =>
    own.try("PUT", `${agent}/collaborators/${encodeURIComponent(user)}`, { body });
  const remove = (agent: string, user: string) =>
    own.try("DELETE", `${agent}/collaborators/${encodeURIComponent(user)}`);
  /** A user of the organization with all scopes, limited only by their role. */
  const as = async (user: string) => {
    const token = await stack().token({ org: own.org, role: "admin", user });
    return (method: string, path: string, body?: unknown) =>
      call(method, own.base + path, { token, body });
  };

  test("are its creator first, then whom they invite, by user id", async () => {
    const agent = await newAgent("listed");
    const invited = await put(agent, "auth0|5f7c", {
      role: "Viewer",
      email: "ada@example.com",
      firstName: "Ada",
      lastName: null,
      alertPreferences: {
        errorAlerts: true,
        accessRequestAlerts: false,
        approvalAlerts: false,
        budgetAlerts: false,
      },
    });
    expect(invited.status).toBe(200);
    expect(invited.body).toEqual({
      agentId: "listed",
      userId: "auth0|5f7c",
      role: "Viewer",
      email: "ada@example.com",
      firstName: "Ada",
      lastName: null,
      createdAt: expect.any(Number),
      modifiedAt: expect.any(Number),
      status: 0,
      alertPreferences: {
        errorAlerts: true,
        accessRequestAlerts: false,
        approvalAlerts: false,
        budgetAlerts: false,
      },
    });
    const listed = await people(agent);
    expect(listed.map(({ userId, role, status }) => ({ userId, role, status }))).toEqual([
      { userId: "auth0|5f7c", role: "Viewer", status: 0 },
      { userId: creator, role: "Owner", status: 1 },
    ]);
    expect(listed[0]).toEqual(invited.body);
  });

  test("have the address that they are invited by, unless another is sent", async () => {
    const agent = await newAgent("addressed");
    const storeEmail = async (user: string, more: object = {}) => {
      const { body } = await put(agent, user, { role: "Viewer", ...more });
      return z.looseObject({ email: z.string().nullable() }).parse(body).email;
    };
    expect(await storeEmail("grace@example.com")).toBe("grace@example.com");
    expect(await storeEmail("grace@example.com", { email: "g@example.com" })).toBe("g@example.com");
    expect(await storeEmail("grace@example.com")).toBe("g@example.com");
    expect(await storeEmail("auth0|9")).toBeNull();
  });

  test("are active from their first authenticated call on, whatever it is", async () => {
    const agent = await newAgent("activated");
    const user = `reader-${crypto.randomUUID()}`;
    const readStatus = async () =>
      (await people(agent)).find(({ userId }) => userId === user)?.status;
    await put(agent, user, { role: "Viewer" });
    expect(await readStatus()).toBe(0);
    const reader = await as(user);
    expect((await reader("GET", "/agents")).status).toBe(200);
    expect(await readStatus()).toBe(1);
    const again = await put(agent, user, { role: "Editor" });
    expect(again.body).toMatchObject({ status: 1 });
    const other = `other-${crypto.randomUUID()}`;
    expect((await (await as(other))("GET", "/agents")).status).toBe(200);
    await put(agent, other, { role: "Viewer" });
    expect((await people(agent)).find(({ userId }) => userId === other)?.status).toBe(0);
  });

  test("invited by an address are its users from their first reading call with it as a verified one", {
    tags: "nightly",
  }, async () => {
    const agent = await newAgent("addressees");
    const [user, other] = [`auth0|${crypto.randomUUID()}`, `auth0|${crypto.randomUUID()}`];
    const createAddress = (name: string) => `${name}-${crypto.randomUUID()}@example.com`;
    const [verified, unverified] = [createAddress("verified"), createAddress("unverified")];
    const later = createAddress("later");
    const readStatus = async (userId: string) =>
      (await people(agent)).find((person) => person.userId === userId)?.status;
    const read = async (
      sub: string,
      email: { address: string; isVerified: boolean },
      path = "/agents",
    ) => {
      const token = await stack().token({ org: own.org, role: "read-only", user: sub, email });
      return (await call("GET", own.base + path, { token })).status;
    };
    for (const address of [verified, unverified]) await put(agent, address, { role: "Viewer" });
    expect((await put(agent, verified.toUpperCase(), { role: "Viewer" })).body).toMatchObject({
      userId: verified,
      status: 0,
    });
    expect(await read(user, { address: unverified, isVerified: false })).toBe(200);
    expect(await read(user, { address: unverified, isVerified: false }, agent)).toBe(200);
    expect(await readStatus(unverified)).toBe(0);
    expect(await read(user, { address: verified, isVerified: true })).toBe(200);
    expect([await readStatus(user), await readStatus(verified)]).toEqual([1, undefined]);
    expect(await readStatus(unverified)).toBe(0);
    const changed = { userId: user, role: "Editor", email: verified, status: 1 };
    expect((await put(agent, verified, { role: "Editor" })).body).toMatchObject(changed);
    expect((await remove(agent, verified)).status).toBe(204);
    expect(await readStatus(user)).toBeUndefined();
    // A user who has called before is found too; a call before the invitation or without the
    // address does not count.
    expect(await read(other, { address: later, isVerified: true })).toBe(200);
    await put(agent, later, { role: "Viewer" });
    expect(await read(other, { address: later, isVerified: false })).toBe(200);
    expect(await readStatus(later)).toBe(0);
    expect(await read(other, { address: later, isVerified: true }, agent)).toBe(200);
    expect(await readStatus(other)).toBe(1);
  });

  test("a verified address costs two writes at the first call with it, and none later", async () => {
    const agent = await newAgent("linked");
    const updates = async (token: string) => {
      await stack().storageCalls.reset();
      await call("GET", own.base + agent, { token });
      const calls = Object.entries(await stack().storageCalls.read());
      return calls.find(([name]) => name.includes("get-agent"))?.[1]?.["dynamodb:UpdateItem"];
    };
    await undisturbed(async () => {
      const user = `auth0|${crypto.randomUUID()}`;
      const email = { address: `${crypto.randomUUID()}@example.com`, isVerified: true };
      const token = await stack().token({ org: own.org, role: "admin", user, email });
      expect([await updates(token), await updates(token)]).toEqual([3, 1]);
    });
  });

  test("are none of an agent that a key made", async () => {
    const key = await own.mintKey(["agents:write", "agents:read"]);
    const options = { token: undefined, key };
    await own.try("POST", "/agents", { ...options, body: { id: "keyed", displayName: "K" } });
    expect(await people("/agents/keyed")).toEqual([]);
  });

  test("of an agent that does not exist are 404, and so is a user who is not a collaborator", async () => {
    expect((await own.try("GET", "/agents/none/collaborators")).status).toBe(404);
    expect((await put("/agents/none", "ada", { role: "Viewer" })).status).toBe(404);
    const agent = await newAgent("left");
    await put(agent, "ada", { role: "Viewer" });
    expect((await remove(agent, "ada")).status).toBe(204);
    expect((await remove(agent, "ada")).status).toBe(404);
  });

  test.each(["-ada", "a b", "a#b", "a".repeat(256), "é"])(
    "a user id such as %j is refused",
    async (user) => {
      const response = await put("/agents/none", user, { role: "Viewer" });
      expect(expectProblem(response)).toMatchObject({
        slug: "validation-failed",
        errors: [expect.objectContaining({ pointer: "path/user" })],
      });
    },
  );

  test("include at least one Owner: the last one can be neither removed nor demoted", async () => {
    const agent = await newAgent("owned");
    expect(expectProblem(await remove(agent, creator)).slug).toBe("conflict");
    expect(expectProblem(await put(agent, creator, { role: "Editor" })).slug).toBe("conflict");
    await put(agent, "ada", { role: "Owner" });
    const [one, other] = await Promise.all([
      put(agent, creator, { role: "Viewer" }),
      put(agent, "ada", { role: "Viewer" }),
    ]);
    expect([one.status, other.status].toSorted()).toContain(200);
    const owners = (await people(agent)).filter(({ role }) => role === "Owner");
    expect(owners.length).toBe(1);
  });

  test("a Viewer reads and no more", { tags: "nightly" }, async () => {
    const agent = await newAgent("viewed");
    await put(agent, "vic", { role: "Viewer" });
    const vic = await as("vic");
    for (const path of ["", "/history", "/collaborators", "/execution-records", "/revisions/1"]) {
      expect((await vic("GET", agent + path)).status, path).toBe(200);
    }
    const refused: [string, string, string][] = [
      ["PATCH", "", "agents:write"],
      ["DELETE", "", "agents:write"],
      ["POST", ":execute", "agents:execute"],
      ["POST", "/revisions", "revisions:write"],
      ["POST", "/revisions/1:deploy", "revisions:deploy"],
      ["PUT", "/collaborators/vic", "agents:write"],
      ["PUT", "/budget", "agents:write"],
    ];
    for (const [method, path, requiredScope] of refused) {
      const response = await vic(method, agent + path, method === "DELETE" ? undefined : {});
      expect(expectProblem(response), `${method} ${path}`).toMatchObject({
        slug: "insufficient-scope",
        status: 403,
        requiredScope,
        detail: expect.stringContaining("Viewer"),
      });
    }
  });

  test("an Editor changes and runs it, but does not delete it or manage its collaborators", {
    tags: "nightly",
  }, async () => {
    const agent = await newAgent("edited");
    await put(agent, "edi", { role: "Editor" });
    const edi = await as("edi");
    expect((await edi("PATCH", agent, { displayName: "E" })).status).toBe(200);
    expect((await people(agent)).find(({ userId }) => userId === "edi")).toMatchObject({
      status: 1,
    });
    expect((await edi("POST", `${agent}:execute`, {})).status).toBe(200);
    expect((await edi("GET", `${agent}/budget`)).status).toBe(404);
    for (const [method, path, body] of [
      ["DELETE", "", undefined],
      ["PUT", "/collaborators/edi", { role: "Owner" }],
      ["DELETE", `/collaborators/${creator}`, undefined],
      ["PUT", "/budget", { amount: 1 }],
      ["DELETE", "/budget", undefined],
    ] as const) {
      const response = await edi(method, agent + path, body);
      expect(expectProblem(response), `${method} ${path}`).toMatchObject({
        slug: "insufficient-scope",
        requiredScope: "agents:write",
        detail: expect.stringMatching(/Editor.*Owner/),
      });
    }
  });

  test("an Owner manages collaborators; a user who is not one is limited by scopes alone", {
    tags: "nightly",
  }, async () => {
    const agent = await newAgent("decided");
    await put(agent, "olga", { role: "Owner" });
    const olga = await as("olga");
    expect((await olga("PUT", `${agent}/budget`, { amount: 1 })).status).toBe(200);
    expect((await olga("DELETE", `${agent}/collaborators/${creator}`)).status).toBe(204);
    const stranger = await as("stranger");
    expect((await stranger("PUT", `${agent}/budget`, { amount: 2 })).status).toBe(200);
    expect((await stranger("DELETE", agent)).status).toBe(204);
  });

  test("a role does not widen scopes", async () => {
    const agent = await newAgent("narrow");
    await put(agent, "rita", { role: "Owner" });
    const token = await stack().token({ org: own.org, role: "read-only", user: "rita" });
    const response = await call("PUT", `${own.base}${agent}/budget`, {
      token,
      body: { amount: 1 },
    });
    expect(expectProblem(response)).toMatchObject({
      slug: "insufficient-scope",
      detail: expect.stringContaining("agents:write"),
    });
  });

  test("a role is looked at before the request is", async () => {
    const agent = await newAgent("early");
    await put(agent, "vera", { role: "Viewer" });
    const vera = await as("vera");
    expect((await vera("PATCH", agent, { displayName: 1 })).status).toBe(403);
    expect((await vera("PATCH", "/agents/-wrong-", { displayName: "x" })).status).toBe(400);
  });

  test("a user pays one storage call for roles, and so does a key that a user minted", async () => {
    const agent = await newAgent("counted");
    const key = await own.mintKey(["agents:read"]);
    const countCalls = async (credentials: { token?: string | undefined; key?: string }) => {
      const options = { token: undefined, ...credentials };
      await own.try("GET", agent, options);
      await stack().storageCalls.reset();
      await own.try("GET", agent, options);
      const calls = Object.entries(await stack().storageCalls.read());
      return calls.find(([name]) => name.includes("get-agent"))?.[1];
    };
    await undisturbed(async () => {
      expect(await countCalls({ key })).toEqual({
        "dynamodb:UpdateItem": 1,
        "dynamodb:GetItem": 2,
      });
      expect(await countCalls({ token: own.token })).toEqual({
        "dynamodb:UpdateItem": 1,
        "dynamodb:GetItem": 2,
      });
    });
  });
});
