import { beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization, stack } from "../harness/api.ts";
import { findOnlyApproval } from "../suites/prepare-approval.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Executed = z.looseObject({ executionId: z.string(), status: z.string() });
const Approval = z.looseObject({ id: z.string(), status: z.string() });

const flow = {
  steps: [
    {
      id: "decide",
      type: "Approval",
      title: "Refund {% input.amount %}?",
      fields: [{ name: "reference", type: "String" }],
    },
    { id: "out", type: "Output", value: "{% steps.decide.output.fields.reference %}" },
  ],
  edges: [{ source: "decide", target: "out" }],
};

/** Creates an execution that waits for an approval. */
const waitingExecution = async (own: Organization, starter: object = {}) => {
  await own.deployAgent("refund", {
    parametersMetadata: [{ name: "amount", type: "Integer" }],
    flow,
  });
  const body = { input: { amount: 12 } };
  const started = await own.try("POST", "/agents/refund:execute", { body, ...starter });
  const { executionId, status } = Executed.parse(started.body);
  expect([started.status, status]).toEqual([202, "Waiting"]);
  return { executionId, approval: await findOnlyApproval(own) };
};

describe("an execution that waits for a decision", () => {
  let own: Organization;
  let executionId: string;
  let path: string;
  /** A second admin: who started the execution may not decide. */
  let approver: string;
  beforeAll(async () => {
    own = await newOrganization();
    const waiting = await waitingExecution(own);
    executionId = waiting.executionId;
    path = `/approvals/${waiting.approval}`;
    approver = await stack().token({ org: own.org, role: "admin", user: "approver" });
  });

  test("is shown with what it asks, by id and in lists", async () => {
    const { body } = await own.send("GET", path);
    expect(body).toMatchObject({
      kind: "Step",
      agentId: "refund",
      agentRevision: 1,
      executionId,
      stepId: "decide",
      title: "Refund 12?",
      message: null,
      data: null,
      actions: [
        { id: "approve", label: "Approve" },
        { id: "reject", label: "Reject" },
      ],
      toolId: null,
      arguments: null,
      approvers: { users: null, roles: ["Owner", "Editor"], emails: null, chat: null },
      minApprovals: 1,
      decisions: [],
      status: "Pending",
      decidedAt: null,
    });
    const filters = ["", "?status=Pending", "?agentId=refund", `?executionId=${executionId}`];
    for (const filter of filters) {
      const { body: list } = await own.send("GET", `/approvals${filter}`);
      expect(list, filter).toEqual({ items: [body], nextPageToken: null });
    }
    for (const filter of ["?status=Decided", "?agentId=other"]) {
      const { body: list } = await own.send("GET", `/approvals${filter}`);
      expect(list, filter).toEqual({ items: [], nextPageToken: null });
    }
  });

  test("does not exist for another organization", async () => {
    const other = await newOrganization();
    expect((await other.try("GET", path)).status).toBe(404);
    expect(
      (await other.try("POST", `${path}:decide`, { body: { action: "approve" } })).status,
    ).toBe(404);
    const foreign = await call("GET", `${own.base}${path}`, { token: other.token });
    expect(foreign.status).toBe(404);
    // An approver who was moved to the other organization.
    const moved = await stack().token({ org: other.org, role: "admin", user: "approver" });
    const body = { action: "approve" };
    const decided = await call("POST", `${own.base}${path}:decide`, { token: moved, body });
    expect(decided.status).toBe(404);
  });

  test("is not decided by who started it, by a Viewer, or without the scope", async () => {
    const decide = (credentials: { token?: string; key?: string }) =>
      own.try("POST", `${path}:decide`, {
        token: undefined,
        ...credentials,
        body: { action: "approve" },
      });
    const starter = expectProblem(await decide({ token: own.token }));
    expect(starter).toMatchObject({ status: 403, requiredScope: "agents:execute" });
    expect(starter.detail).toContain("Who started the execution may not decide");
    await own.send("PUT", "/agents/refund/collaborators/viewer", { role: "Viewer" });
    const viewer = await stack().token({ org: own.org, role: "admin", user: "viewer" });
    const refused = expectProblem(await decide({ token: viewer }));
    expect(refused).toMatchObject({ status: 403, requiredScope: "agents:execute" });
    expect(refused.detail).toContain('Owners and Editors of the agent "refund"');
    const reader = await own.mintKey(["executions:read"]);
    expect((await decide({ key: reader })).status).toBe(403);
    const runner = await own.mintKey(["agents:execute"]);
    expect((await decide({ key: runner })).status).toBe(403);
  });

  test("is read by an approver with agents:execute alone, and by no other such caller", async () => {
    const minted = await own.try("POST", "/apiKeys:generate", {
      token: approver,
      body: { name: "k", scopes: ["agents:execute"] },
    });
    const { key } = z.looseObject({ key: z.string() }).parse(minted.body);
    const read = (credentials: object) =>
      own.try("GET", path, { token: undefined, ...credentials });
    expect((await read({ key })).status).toBe(200);
    const viewer = await stack().token({ org: own.org, role: "runner", user: "viewer" });
    expect(expectProblem(await read({ token: viewer }))).toMatchObject({
      status: 403,
      requiredScope: "executions:read",
    });
    const list = await own.try("GET", "/approvals", { token: viewer });
    expect(list.body).toEqual({ items: [], nextPageToken: null });
  });

  test("continues with the decision, which is final", async () => {
    const decide = (body: object, token = approver) =>
      own.try("POST", `${path}:decide`, { token, body });
    const wrong = expectProblem(await decide({ action: "aprove" }));
    expect(wrong).toMatchObject({ status: 400, errors: [{ pointer: "/action" }] });
    const body = { action: "approve", fields: { reference: "R-12" }, comment: "ok" };
    const decided = await decide(body);
    expect(decided.status, decided.text).toBe(200);
    expect(decided.body).toMatchObject({ status: "Decided", decisions: [body] });
    expect((await decide(body)).body).toEqual(decided.body);
    const other = expectProblem(await decide({ action: "reject" }));
    expect(other).toMatchObject({ status: 409, slug: "conflict", approval: decided.body });
    const record = `/agents/refund/execution-records/${executionId}`;
    await vi.waitFor(
      async () => {
        const { body: shown } = await own.send("GET", record);
        expect(shown).toMatchObject({ status: "Succeeded", output: "R-12" });
      },
      { timeout: 20_000 },
    );
    const pending = await own.send("GET", "/approvals?status=Pending");
    expect(pending.body).toEqual({ items: [], nextPageToken: null });
  });
});

describe("an execution that a key started", () => {
  test("continues after the key was revoked, and is not decided with a revoked key", async () => {
    const own = await newOrganization();
    const generate = async () => {
      const body = { name: "k", scopes: ["agents:execute"] };
      const token = await stack().token({ org: own.org, role: "admin", user: "approver" });
      const minted = await own.try("POST", "/apiKeys:generate", { token, body });
      return z.looseObject({ id: z.string(), key: z.string() }).parse(minted.body);
    };
    const [starter, revoked] = [await generate(), await generate()];
    const { key } = starter;
    const { executionId, approval } = await waitingExecution(own, { key, token: undefined });
    for (const { id } of [starter, revoked]) await own.send("DELETE", `/apiKeys/${id}`);
    const decide = (credentials: object) =>
      own.try("POST", `/approvals/${approval}:decide`, {
        token: undefined,
        ...credentials,
        body: { action: "approve", fields: { reference: "R-1" } },
      });
    expect((await decide({ key: revoked.key })).status).toBe(401);
    const token = await stack().token({ org: own.org, role: "admin", user: "another" });
    expect((await decide({ token })).status).toBe(200);
    const record = `/agents/refund/execution-records/${executionId}`;
    await expect
      .poll(async () => (await own.send("GET", record)).body)
      .toMatchObject({ status: "Succeeded", output: "R-1" });
  });
});

describe("an execution that is cancelled", () => {
  test("cancels its approval: a decision is a conflict", { tags: "nightly" }, async () => {
    const own = await newOrganization();
    const { executionId, approval } = await waitingExecution(own);
    await own.send("POST", `/agents/refund/execution-records/${executionId}:cancel`);
    const token = await stack().token({ org: own.org, role: "admin", user: "approver" });
    const body = { action: "approve" };
    const decided = await own.try("POST", `/approvals/${approval}:decide`, { token, body });
    expect(expectProblem(decided)).toMatchObject({
      status: 409,
      approval: { id: approval, status: "Cancelled" },
    });
    expect(Approval.parse((await own.send("GET", `/approvals/${approval}`)).body).status).toBe(
      "Cancelled",
    );
  });
});

describe("a link to an approval", () => {
  test("shows a page without scripts that decides by its form alone, once", {
    tags: "nightly",
  }, async () => {
    const own = await newOrganization();
    const { approval } = await waitingExecution(own);
    const token = await stack().token({ org: own.org, role: "admin", user: "approver" });
    const path = `/v1/tenants/${own.slug}/approvals/${approval}`;
    const created = await call("POST", `${path}:link`, {
      token,
      body: { expiresInSeconds: 3_600 },
    });
    const { url } = z.object({ url: z.string() }).parse(created.body);
    const send = (init?: RequestInit, to = url) => fetch(to, { redirect: "error", ...init });
    for (const method of ["GET", "HEAD", "GET"]) await (await send({ method })).text();
    const page = await send();
    expect(page.status).toBe(200);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "x-robots-tag": "noindex, nofollow",
    });
    expect(await page.text()).toMatch(/<h1>Refund 12\?<\/h1>[\s\S]*<form method="post">/);
    expect(Approval.parse((await own.send("GET", `/approvals/${approval}`)).body).status).toBe(
      "Pending",
    );
    const json = { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } };
    expect((await send(json)).status).toBe(415);
    const large = new URLSearchParams({ action: "approve", comment: "x".repeat(70_000) });
    expect((await send({ method: "POST", body: large })).status).toBe(413);
    const forged = await send(undefined, url.replace(/.{3}$/, "AAA"));
    expect(forged.status).toBe(404);
    expect(await forged.json()).toMatchObject({
      instance: `/v1/tenants/${own.tenantId}/approval-links`,
    });
    const form = new URLSearchParams({ action: "approve", "field.reference": "R-1" });
    const decided = await send({ method: "POST", body: form });
    expect([decided.status, await decided.text()]).toEqual([
      200,
      expect.stringContaining("Approve, by link of "),
    ]);
    const again = await send({ method: "POST", body: new URLSearchParams({ action: "reject" }) });
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringContaining("Approve, by link of "),
    ]);
    const { body } = await own.send("GET", `/approvals/${approval}`);
    expect(body).toMatchObject({
      status: "Decided",
      decisions: [{ action: "approve", fields: { reference: "R-1" } }],
    });
  });
});
