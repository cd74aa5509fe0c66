import { beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization, stack } from "../harness/api.ts";
import { connectorToAskAt, waitForItems } from "../suites/prepare-access-request.ts";

const requests = "/agents/hello/chatUserAccessRequests";
const users = "/agents/hello/chatUsers";
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]+$/);

/** Outputs nothing, so that no chat provider is called. */
const silentAgent = {
  parametersMetadata: [{ name: "message", type: "String" }],
  flow: { steps: [{ id: "out", type: "Output", value: "" }], edges: [] },
};

describe("access requests of chat users", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let at: Awaited<ReturnType<typeof connectorToAskAt>>;

  beforeEach(async () => {
    own = await newOrganization();
    await own.deployAgent("hello", silentAgent);
    at = await connectorToAskAt(own);
  });

  /** Creates an access request, and returns its id. */
  const ask = async (id = "U1", count = 1): Promise<string> => {
    await at.write({ id, name: "Ada" });
    const [request] = await waitForItems(own, requests, count);
    return request?.id ?? "";
  };

  const Records = z.looseObject({
    items: z.array(z.looseObject({ trigger: z.unknown(), executionId: z.string().optional() })),
  });
  const executions = async () =>
    Records.parse((await own.send("GET", "/agents/hello/execution-records")).body).items;
  const waitForExecutions = (count: number) =>
    vi.waitFor(async () => expect(await executions()).toHaveLength(count), { timeout: 20_000 });

  test("are created once per user; the approval admits the user and sends the reply to the message that created it", async () => {
    const id = await ask();
    const before = await own.send("GET", `${requests}/${id}`);
    expect(before.body).toEqual({
      id,
      provider: "generic",
      identifier: "U1",
      userName: "Ada",
      agentId: "hello",
      connectorId: at.connector,
      conversationName: "Support",
      status: "Pending",
      processedBy: null,
      processedAt: null,
      processingNote: null,
      tenantId: own.tenantId,
      createdAt: expect.any(Number),
      modifiedAt: expect.any(Number),
    });
    expect(await executions()).toEqual([]);

    const approved = await own.try("POST", `${requests}/${id}:approve`, {
      body: { note: "Works in support." },
    });
    expect(approved.status, approved.text).toBe(200);
    expect(approved.body).toMatchObject({
      id,
      status: "Approved",
      processedBy: "someone@example.com",
      processedAt: expect.any(Number),
      processingNote: "Works in support.",
    });
    expect((await own.send("GET", `${requests}/${id}`)).body).toEqual(approved.body);
    await waitForExecutions(1);
    expect((await executions())[0]?.trigger).toMatchObject({ type: 3, id: at.connector });
    expect((await own.send("GET", users)).body).toMatchObject({
      items: [
        {
          id: uuid,
          identifier: "U1",
          userName: "Ada",
          status: "Active",
          connectorId: at.connector,
          agentId: "hello",
          tenantId: own.tenantId,
        },
      ],
      nextPageToken: null,
    });

    await at.write({ id: "U1" }, "And another thing");
    await waitForExecutions(2);
    await waitForItems(own, requests, 1);
  });

  test("leave their user in onboarding, without a reply, when rejected; the body may be empty", {
    tags: "nightly",
  }, async () => {
    const id = await ask();
    const rejected = await own.try("POST", `${requests}/${id}:reject`);
    expect(rejected.body).toMatchObject({ status: "Rejected", processingNote: null });
    expect((await own.send("GET", users)).body).toMatchObject({
      items: [{ status: "Onboarding" }],
    });
    await at.write({ id: "U1" });
    await at.write({ id: "U2" });
    await waitForItems(own, requests, 2);
    expect(await executions()).toEqual([]);
  });

  test("are decided once: the second decision gets 409", { tags: "nightly" }, async () => {
    const id = await ask();
    const key = await own.mintKey(["chat_users:write"]);
    const responses = await Promise.all(
      ["approve", "reject", "approve"].map((verb) =>
        call("POST", `${own.base}${requests}/${id}:${verb}`, { key, body: { note: null } }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const late = await own.try("POST", `${requests}/${id}:approve`);
    expect(expectProblem(late).slug).toBe("conflict");
    const won = responses.find(({ status }) => status === 200);
    expect((await own.send("GET", `${requests}/${id}`)).body).toEqual(won?.body);
  });

  test("are listed newest first, by status, page by page", { tags: "nightly" }, async () => {
    const ids: string[] = [];
    for (const user of ["U1", "U2", "U3"]) ids.push(await ask(user, ids.length + 1));
    await own.send("POST", `${requests}/${ids[1]}:reject`);
    const list = async (query: string) => {
      const { body } = await own.send("GET", `${requests}?${query}`);
      return z
        .looseObject({ items: z.array(z.looseObject({ id: z.string() })) })
        .parse(body)
        .items.map(({ id }) => ids.indexOf(id) + 1);
    };
    expect(await list("")).toEqual([3, 2, 1]);
    expect(await list("status=Pending")).toEqual([3, 1]);
    expect(await list("status=Rejected")).toEqual([2]);
    expect(await list("status=Approved")).toEqual([]);
    expect(await list("status=Pending&PageSize=1&PageToken.Skip=1")).toEqual([1]);
  });

  test("must be repeated by a deleted user", { tags: "nightly" }, async () => {
    const id = await ask();
    await own.send("POST", `${requests}/${id}:approve`, {});
    const [user] = await waitForItems(own, users, 1);
    expect((await own.send("DELETE", `${users}/${user?.id}`)).status).toBe(204);
    expect((await own.try("DELETE", `${users}/${user?.id}`)).status).toBe(404);
    await ask("U1", 2);
    expect((await own.send("GET", users)).body).toMatchObject({
      items: [{ status: "Onboarding" }],
    });
  });

  test("do not exist for others: another agent, another tenant, another organization", async () => {
    const id = await ask();
    const [user] = await waitForItems(own, users, 1);
    await own.send("POST", "/agents", { id: "other", displayName: "Other" });
    const other = await newOrganization();
    await other.send("POST", "/agents", { id: "hello", displayName: "Hello" });
    for (const response of [
      await own.try("GET", `/agents/other/chatUserAccessRequests/${id}`),
      await own.try("POST", `/agents/other/chatUserAccessRequests/${id}:approve`),
      await own.try("DELETE", `/agents/other/chatUsers/${user?.id}`),
      await own.try("GET", "/agents/nobody/chatUserAccessRequests"),
      await own.try("GET", "/agents/nobody/chatUsers"),
      await other.try("GET", `${requests}/${id}`),
      await other.try("POST", `${requests}/${id}:approve`),
      await other.try("DELETE", `${users}/${user?.id}`),
    ]) {
      expect(expectProblem(response)).toMatchObject({ status: 404, slug: "not-found" });
    }
    await waitForItems(own, `${requests}?status=Pending`, 1);
    await waitForItems(other, requests, 0);
  });

  test("are decided upon by editors of the agent, not by its viewers", {
    tags: "nightly",
  }, async () => {
    const id = await ask();
    const viewer = await stack().token({ org: own.org, role: "admin", user: "viewer" });
    await own.send("PUT", "/agents/hello/collaborators/viewer", { role: "Viewer" });
    const options = { token: viewer };
    expect((await own.try("GET", `${requests}/${id}`, options)).status).toBe(200);
    expect((await own.try("POST", `${requests}/${id}:approve`, options)).status).toBe(403);
    expect((await own.try("POST", `${requests}/${id}:approve`)).status).toBe(200);
  });

  test.each([
    ["that is no text", { note: 7 }],
    ["of more than 2,000 characters", { note: "x".repeat(2_001) }],
  ])("take no note %s", async (_, body) => {
    const response = await own.try("POST", `${requests}/${await ask()}:approve`, { body });
    expect(expectProblem(response)).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "/note" }],
    });
  });
});
