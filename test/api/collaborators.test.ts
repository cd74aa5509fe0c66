import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, newOrganization, problemOf, stack } from "../harness/api.ts";
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
  /** A user of the organization whose scopes are all; what their role allows remains. */
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
      alertPreferences: { errorAlerts: true, accessRequestAlerts: false, budgetAlerts: false },
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
      alertPreferences: { errorAlerts: true, accessRequestAlerts: false, budgetAlerts: false },
    });
    const listed = await people(agent);
    expect(listed.map(({ userId, role, status }) => ({ userId, role, status }))).toEqual([
      { userId: "auth0|5f7c", role: "Viewer", status: 0 },
      { userId: creator, role: "Owner", status: 1 },
    ]);
    expect(listed[0]).toEqual(invited.body);
  });

  test("are none of an agent that a key made", async () => {
    const key = await own.mintKey(["agents:write", "agents:read"]);
    const options = { token: undefined, key };
    await own.try("POST", "/agents", { ...options, body: { id: "keyed", displayName: "K" } });
    expect(await people("/agents/keyed")).toEqual([]);
  });

  test("of an agent that does not exist are 404, and so is who is none", async () => {
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
      const answer = await put("/agents/none", user, { role: "Viewer" });
      expect(problemOf(answer)).toMatchObject({
        slug: "validation-failed",
        errors: [expect.objectContaining({ pointer: "path/user" })],
      });
    },
  );

  test("keep a last Owner, who can be neither removed nor demoted", async () => {
    const agent = await newAgent("owned");
    expect(problemOf(await remove(agent, creator)).slug).toBe("conflict");
    expect(problemOf(await put(agent, creator, { role: "Editor" })).slug).toBe("conflict");
    await put(agent, "ada", { role: "Owner" });
    const [one, other] = await Promise.all([
      put(agent, creator, { role: "Viewer" }),
      put(agent, "ada", { role: "Viewer" }),
    ]);
    expect([one.status, other.status].toSorted()).toContain(200);
    const owners = (await people(agent)).filter(({ role }) => role === "Owner");
    expect(owners.length).toBe(1);
  });

  test("a Viewer reads and no more", async () => {
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
      const answer = await vic(method, agent + path, method === "DELETE" ? undefined : {});
      expect(problemOf(answer), `${method} ${path}`).toMatchObject({
        slug: "insufficient-scope",
        status: 403,
        requiredScope,
        detail: expect.stringContaining("Viewer"),
      });
    }
  });

  test("an Editor changes and runs it, but does not delete it, nor decide who may what", async () => {
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
      const answer = await edi(method, agent + path, body);
      expect(problemOf(answer), `${method} ${path}`).toMatchObject({
        slug: "insufficient-scope",
        requiredScope: "agents:write",
        detail: expect.stringMatching(/Editor.*Owner/),
      });
    }
  });

  test("an Owner decides; a user who is no collaborator is limited by scopes alone", async () => {
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
    const answer = await call("PUT", `${own.base}${agent}/budget`, { token, body: { amount: 1 } });
    expect(problemOf(answer)).toMatchObject({
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
    const callsOf = async (credentials: { token?: string | undefined; key?: string }) => {
      const options = { token: undefined, ...credentials };
      await own.try("GET", agent, options);
      await stack().storageCalls.reset();
      await own.try("GET", agent, options);
      const calls = Object.entries(await stack().storageCalls.read());
      return calls.find(([name]) => name.includes("get-agent"))?.[1];
    };
    await undisturbed(async () => {
      expect(await callsOf({ key })).toEqual({ "dynamodb:UpdateItem": 1, "dynamodb:GetItem": 2 });
      expect(await callsOf({ token: own.token })).toEqual({
        "dynamodb:UpdateItem": 1,
        "dynamodb:GetItem": 2,
      });
    });
  });
});
