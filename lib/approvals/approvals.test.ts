import { randomBytes, randomUUID } from "node:crypto";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { gate } from "../../test/harness/timers.ts";
import { ask, buildFlow, testWaiting } from "../../test/harness/waiting.ts";
import {
  type ApprovalItem,
  getApproval,
  listApprovals,
  putApproval,
} from "../executions/approvals/approval-store.ts";
import { approvalKey, pendingApprovalsList } from "../executions/record/keys.ts";
import { cancelExecution } from "../executions/recover/cancel-execution.ts";
import { requestAfterMs } from "../executions/wait/open-waits.ts";
import type { Principal } from "../platform/auth/principal.ts";
import { presets } from "../platform/auth/scopes.ts";
import { maxReadForPage } from "../platform/db/list-page.ts";
import { tableAttributes } from "../platform/db/table.ts";
import { transact } from "../platform/db/transact.ts";
import type { PageRequest } from "../platform/http/paging.ts";
import { maxResponseBytes, responseBytes } from "../platform/http/response-size.ts";
import { listOutbox } from "../platform/outbox/outbox-store.ts";
import { uuidAt } from "../platform/runtime/runtime.ts";
import { generateApiKey } from "../tenancy/api-key/generate-api-key.ts";
import { revokeApiKey } from "../tenancy/api-key/revoke-api-key.ts";
import { putCollaborator } from "../tenancy/collaborator/put-collaborator.ts";
import type { CollaboratorRole } from "../tenancy/collaborator/role.ts";
import { putNewTenant } from "../tenancy/tenant/store.ts";
import { isRecord } from "../values/json/json.ts";
import { decideApproval } from "./decide-approval.ts";
import {
  type ApprovalFilter,
  listReadableApprovals,
  maxLookedUpForPage,
} from "./list-approvals.ts";
import type { Decider } from "./person.ts";
import { readApproval } from "./read-approval.ts";
import { Approval, type DecideApprovalBody } from "./schemas.ts";
import { toApproval } from "./to-approval.ts";

const { indexPartitionKey, indexSortKey } = tableAttributes;

const step = (more: object = {}) => ({
  id: "decide",
  type: "Approval",
  title: "Pay?",
  timeoutSeconds: 3_600,
  ...more,
});
const asking = (more: object = {}) => buildFlow([step(more), ask("after")], ["decide>after"]);

let db: TestDatabase;
let world: ReturnType<typeof testWaiting>;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(() => {
  world = testWaiting(db);
});

const user = (id: string, more: Partial<Principal> = {}): Principal => ({
  type: "User",
  id,
  organizationId: world.tenant.ctx.tenant.organizationId,
  scopes: presets.Admin,
  userIds: [id, `${id}@example.com`],
  email: `${id}@example.com`,
  apiKey: null,
  ...more,
});
const key = (userIds: string[] = []): Principal => ({
  ...user(randomUUID(), { userIds, email: null }),
  type: "ApiKey",
});
const caller = (principal: Principal): Decider => ({ type: "caller", principal });

const invite = (userId: string, role: CollaboratorRole) =>
  putCollaborator({ db }, { ctx: world.tenant.ctx, agentId: "a", userId, body: { role } });

const decide = (item: ApprovalItem, decider: Decider, body: Partial<DecideApprovalBody> = {}) =>
  decideApproval(
    { ...world.deps, runtime: world.tenant.ctx },
    {
      tenant: world.tenant.ctx.tenant,
      approvalId: item.id,
      decider,
      body: { action: "approve", ...body },
    },
  );

/** Deploys an agent with an approval, executes it and returns the approval. */
const request = async (more: object = {}): Promise<ApprovalItem> => {
  await world.deploy("a", asking(more));
  await world.execute("a");
  const [item] = await Array.fromAsync(listApprovals(db, world.tenantId));
  if (!item) throw new Error("there is no approval");
  return item;
};

const Refusal = z.looseObject({
  slug: z.string(),
  message: z.string(),
  members: z.looseObject({}),
});
const refused = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (error === undefined) throw new Error("it was not refused");
  return Refusal.parse({ ...z.looseObject({}).parse(error), message: String(error) });
};

describe("a decision", () => {
  test("continues the execution with the action, fields and the name of who decided", {
    tags: "nightly",
  }, async () => {
    const item = await request({ fields: [{ name: "amount", type: "Integer", required: true }] });
    const decided = await decide(item, caller(user("ada")), {
      fields: { amount: 7 },
      comment: "Go ahead.",
    });
    expect(toApproval(decided)).toMatchObject({
      status: "Decided",
      decidedAt: world.tenant.ctx.clock(),
      decisions: [
        {
          action: "approve",
          fields: { amount: 7 },
          comment: "Go ahead.",
          decidedBy: "ada@example.com",
        },
      ],
    });
    expect(await getApproval(db, world.tenantId, item.id)).toEqual(decided);
    await world.deliver();
    const { output } = await world.read("a", item.executionId);
    expect(output?.trace.find((span) => isRecord(span) && span.stepId === "decide")).toMatchObject({
      output: {
        action: "approve",
        fields: { amount: 7 },
        comment: "Go ahead.",
        decidedBy: "ada@example.com",
        decidedAt: decided.decidedAt,
      },
    });
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
  });

  test.each([
    [{ action: "aprove" }, "/action", 'did you mean "approve"'],
    [{ fields: { amont: 1, amount: 1 } }, "/fields/amont", 'did you mean "amount"'],
    [{ fields: {} }, "/fields/amount", "is required"],
    [{ fields: { amount: "1" } }, "/fields/amount", "whole number"],
    [{ fields: { amount: 1 }, arguments: { a: 1 } }, "/arguments", "tool call"],
    [{ fields: { amount: 1, note: "x".repeat(9_000) } }, "/fields", "8192 bytes"],
  ])(
    "%j is refused with its pointer and the nearest name",
    { tags: "nightly" },
    async (body, pointer, detail) => {
      const item = await request({
        fields: [
          { name: "amount", type: "Integer", required: true },
          { name: "note", type: "String" },
        ],
      });
      const { slug, members } = await refused(decide(item, caller(user("ada")), body));
      expect(slug).toBe("validation-failed");
      expect(members.errors).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
      expect(await getApproval(db, world.tenantId, item.id)).toEqual(item);
    },
  );

  test("that rejects needs no values of required fields", { tags: "nightly" }, async () => {
    const item = await request({ fields: [{ name: "amount", type: "Integer", required: true }] });
    await decide(item, caller(user("ada")), { action: "reject" });
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Failed"]);
  });

  test("of the same person again changes nothing, and another one is a conflict with the approval", {
    tags: "nightly",
  }, async () => {
    const item = await request();
    const decided = await decide(item, caller(user("ada")), { comment: "ok" });
    expect(await decide(item, caller(user("ada")), { comment: "ok" })).toEqual(decided);
    expect(await decide(item, caller(key(["ada"])), { comment: "ok" })).toEqual(decided);
    for (const [decider, body] of [
      [caller(user("ada")), { action: "reject" }],
      [caller(user("ada")), {}],
      [caller(user("bob")), { comment: "ok" }],
      [caller(user("bob")), { action: "unknown" }],
    ] as const) {
      const { slug, members, message } = await refused(decide(item, decider, body));
      expect(slug).toBe("conflict");
      expect(members.approval).toEqual(toApproval(decided));
      expect(Object.keys(Approval.shape)).toEqual(
        expect.arrayContaining(Object.keys(z.looseObject({}).parse(members.approval))),
      );
      expect(message).toContain('"approve" by ada@example.com');
    }
  });

  test("after the time, or of an execution that was cancelled, is a conflict", {
    tags: "nightly",
  }, async () => {
    const item = await request();
    world.tenant.advance(3_600_000);
    expect((await refused(decide(item, caller(user("ada"))))).slug).toBe("conflict");
    await world.dueAfter(60_000);
    const late = await refused(decide(item, caller(user("ada"))));
    expect(late.members.approval).toMatchObject({ status: "TimedOut" });
  });

  test("of an execution that has ended meanwhile is a conflict, and cancels the approval", async () => {
    const item = await request();
    const { executionId } = item;
    await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId });
    const { slug, members } = await refused(decide(item, caller(user("ada"))));
    expect(slug).toBe("conflict");
    expect(members.approval).toMatchObject({ status: "Cancelled", decisions: [] });
    expect(await getApproval(db, world.tenantId, item.id)).toMatchObject({ status: "Cancelled" });
  });

  test("about an approval that does not exist is a 404", async () => {
    const item = { ...(await request()), id: randomUUID() };
    expect((await refused(decide(item, caller(user("ada"))))).slug).toBe("not-found");
  });

  test("takes effect for exactly one of those that are made concurrently", {
    tags: "nightly",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("approve", "reject"), { minLength: 2, maxLength: 6 }),
        async (actions) => {
          world = testWaiting(db);
          const item = await request();
          const outcomes = await Promise.allSettled(
            actions.map((action, at) => decide(item, caller(user(`u${at}`)), { action })),
          );
          const won = outcomes.filter(({ status }) => status === "fulfilled");
          expect(won).toHaveLength(1);
          for (const outcome of outcomes) {
            if (outcome.status === "rejected") expect(outcome.reason.slug).toBe("conflict");
          }
          const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
          const kept = await getApproval(db, world.tenantId, item.id);
          expect(kept?.decisions).toMatchObject([{ action: actions[winner] }]);
          await world.deliver();
          const status = actions[winner] === "approve" ? "Succeeded" : "Failed";
          expect(await world.statuses("a")).toEqual([status]);
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe("the event of a decision", () => {
  /** Stores the tenant: without it there is no organization that receives events. */
  const storeTenant = async () => {
    const { tenant, clock } = world.tenant.ctx;
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "T", ...times });
  };
  /** The events of decisions: those that were queued, and those that are in the outbox. */
  const published = async () => {
    await world.deliver();
    const stored = (await listOutbox(db)).filter((event) => event?.tenantId === world.tenantId);
    return {
      queued: world.events.filter(({ type }) => type === "approval.decided"),
      stored: stored.filter((event) => event?.type === "approval.decided"),
    };
  };
  const one = (id: string, data: object = {}) => {
    const event = { id: `approval.decided:${id}`, data: { approvalId: id, ...data } };
    return { queued: [event], stored: [event] };
  };
  const none = { queued: [], stored: [] };

  test("contains the action and who decided, but no field, comment, data or argument", {
    tags: "nightly",
  }, async () => {
    await storeTenant();
    const fields = [{ name: "amount", type: "Integer" }];
    const item = await request({ data: { secret: "of the flow" }, fields });
    const body = { fields: { amount: 765_432 }, comment: "of the person" };
    await decide(item, caller(user("ada")), body);
    const { queued } = await published();
    expect(queued).toEqual([
      {
        id: `approval.decided:${item.id}`,
        type: "approval.decided",
        organizationId: world.tenant.ctx.tenant.organizationId,
        tenantId: world.tenantId,
        agentId: "a",
        occurredAt: world.tenant.ctx.clock(),
        data: {
          approvalId: item.id,
          agentRevision: 1,
          executionId: item.executionId,
          stepId: "decide",
          kind: "Step",
          title: "Pay?",
          toolId: null,
          status: "Decided",
          createdAt: item.createdAt,
          expiresAt: item.expiresAt,
          action: "approve",
          decidedBy: "ada@example.com",
        },
      },
    ]);
  });

  test("is published once, for the decision that takes effect: not for a vote or a repetition", {
    tags: "nightly",
  }, async () => {
    await storeTenant();
    const item = await request({ minApprovals: 2 });
    await decide(item, caller(user("ada")));
    await decide(item, caller(user("ada")));
    expect(await published()).toEqual(none);
    await decide(item, caller(user("bob")));
    await decide(item, caller(user("bob")));
    await refused(decide(item, caller(user("eve")), { action: "reject" }));
    const expected = one(item.id, { action: "approve", decidedBy: "bob@example.com" });
    expect(await published()).toMatchObject(expected);
  });

  test("is published once among concurrent decisions, and names the one that won", {
    tags: "nightly",
  }, async () => {
    await storeTenant();
    const item = await request();
    const actions = ["approve", "reject", "approve", "reject"];
    const outcomes = await Promise.allSettled(
      actions.map((action, at) => decide(item, caller(user(`u${at}`)), { action })),
    );
    const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
    const data = { action: actions[winner], decidedBy: `u${winner}@example.com` };
    expect(await published()).toMatchObject(one(item.id, data));
  });

  test("is not published for an execution that has ended", { tags: "nightly" }, async () => {
    await storeTenant();
    const item = await request();
    const { executionId } = item;
    await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId });
    await refused(decide(item, caller(user("ada"))));
    expect(await published()).toEqual(none);
  });

  test("is stored with the decision: one that could not be queued is in the outbox", {
    tags: "nightly",
  }, async () => {
    await storeTenant();
    const item = await request();
    const { send } = world.deps;
    const deps = {
      ...world.deps,
      runtime: world.tenant.ctx,
      send: async (...[queue, ...message]: Parameters<typeof send>) => {
        if (queue === "events") throw new Error("the queue is not available");
        await send(queue, ...message);
      },
    };
    const { tenant } = world.tenant.ctx;
    const decider = caller(user("ada"));
    const body = { action: "approve" };
    const decided = await decideApproval(deps, { tenant, approvalId: item.id, decider, body });
    expect(decided.status).toBe("Decided");
    expect(await published()).toMatchObject({ ...one(item.id), queued: [] });
  });
});

describe("an approval that several people decide", () => {
  test("takes effect with the last of them, and counts one person once", {
    tags: "nightly",
  }, async () => {
    const chat = { connectorId: "c", conversationId: "1" };
    const approvers = { roles: ["Owner", "Editor"], emails: ["eve@example.com"], chat };
    const item = await request({ minApprovals: 3, approvers });
    const first = await decide(item, caller(user("ada")));
    expect(first).toMatchObject({ status: "Pending", decidedAt: null });
    expect(await decide(item, caller(key(["ada"])))).toEqual(first);
    expect(await decide(item, caller(key(["ADA@example.com"])))).toEqual(first);
    const other = await refused(decide(item, caller(user("ada")), { action: "reject" }));
    expect(other.members.approval).toMatchObject({ status: "Pending" });
    await decide(item, { type: "chat", id: "U1", name: "Bob", connectorId: "c" });
    expect(
      (await decide(item, { type: "link", holder: { type: "mail", address: "eve@example.com" } }))
        .status,
    ).toBe("Decided");
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
  });

  test("ends with one who rejects", async () => {
    const item = await request({ minApprovals: 3 });
    await decide(item, caller(user("ada")));
    const ended = await decide(item, caller(user("bob")), { action: "reject" });
    expect(ended).toMatchObject({ status: "Decided", decisions: [{}, { action: "reject" }] });
  });

  test("takes effect once all chose, though they chose concurrently", {
    tags: "nightly",
  }, async () => {
    const item = await request({ minApprovals: 5 });
    const people = ["a", "b", "c", "d", "e"].map((id) => caller(user(id)));
    await Promise.all(people.map((decider) => decide(item, decider)));
    const kept = await getApproval(db, world.tenantId, item.id);
    expect(kept?.status).toBe("Decided");
    expect(kept?.decisions).toHaveLength(5);
  });
});

describe("the right to decide", () => {
  const mayDecide = async (item: ApprovalItem, decider: Decider): Promise<true | string> => {
    // An unknown action is refused after the right to decide was checked.
    const { slug, message } = await refused(decide(item, decider, { action: "?" }));
    return slug === "validation-failed" || `${slug}: ${message}`;
  };

  test("by default are Owners and Editors, and principals that roles do not limit", {
    tags: "nightly",
  }, async () => {
    const item = await request();
    await invite("owner", "Owner");
    await invite("editor", "Editor");
    await invite("viewer@example.com", "Viewer");
    expect(await mayDecide(item, caller(user("owner")))).toBe(true);
    expect(await mayDecide(item, caller(user("editor")))).toBe(true);
    expect(await mayDecide(item, caller(key(["editor"])))).toBe(true);
    expect(await mayDecide(item, caller(user("nobody")))).toBe(true);
    expect(await mayDecide(item, caller(key()))).toBe(true);
    for (const viewer of [user("viewer"), key(["viewer@example.com"])]) {
      expect(await mayDecide(item, caller(viewer))).toContain(
        'Only its approvers may decide the approval: Owners and Editors of the agent "a".',
      );
    }
  });

  test("is lost with the role: who was an approver when it was requested decides no more", {
    tags: "nightly",
  }, async () => {
    const item = await request({ approvers: { roles: ["Owner"] } });
    await invite("boss", "Owner");
    await invite("ada", "Owner");
    expect(await mayDecide(item, caller(user("ada")))).toBe(true);
    await invite("ada", "Viewer");
    expect(await mayDecide(item, caller(user("ada")))).toContain("Only its approvers may decide");
  });

  test("are the named users, by id or verified address, and no others", async () => {
    const item = await request({ approvers: { users: ["ada", "Bob@Example.com"] } });
    await invite("owner", "Owner");
    expect(await mayDecide(item, caller(user("ada")))).toBe(true);
    expect(await mayDecide(item, caller(user("bob")))).toBe(true);
    expect(await mayDecide(item, caller(key(["ada"])))).toBe(true);
    const unverified = user("eve", { userIds: ["eve"], email: "bob@example.com" });
    for (const other of [user("owner"), user("carl"), key(), unverified]) {
      expect(await mayDecide(item, caller(other))).toContain("ada; Bob@Example.com.");
    }
  });

  test("of the role Viewer are all collaborators; of the role Owner, Owners alone", {
    tags: "nightly",
  }, async () => {
    await invited();
    const viewers = await request({ approvers: { roles: ["Viewer"] } });
    expect(await mayDecide(viewers, caller(user("viewer")))).toBe(true);
    expect(await mayDecide(viewers, caller(user("owner")))).toBe(true);
    world = testWaiting(db);
    await invited();
    const owners = await request({ approvers: { roles: ["Owner"] } });
    expect(await mayDecide(owners, caller(user("owner")))).toBe(true);
    expect(await mayDecide(owners, caller(user("editor")))).toContain("insufficient-scope");
  });
  const invited = async () => {
    await world.deploy("a", asking());
    await invite("owner", "Owner");
    await invite("editor", "Editor");
    await invite("viewer", "Viewer");
  };

  test("is not who started the execution, unless that is allowed", {
    tags: "nightly",
  }, async () => {
    const { ctx } = world.tenant;
    const item = await request({ allowStarter: false });
    expect(item.starterId).toBe(ctx.principal.id);
    expect(await mayDecide(item, caller(ctx.principal))).toContain("Who started the execution");
    expect(await mayDecide(item, caller(key([ctx.principal.id])))).toContain("Who started");
    world = testWaiting(db);
    const allowed = await request({ allowStarter: true });
    expect(await mayDecide(allowed, caller(world.tenant.ctx.principal))).toBe(true);
  });

  test("is not the user who created the key that started the execution, also after it was revoked", async () => {
    const item = await request();
    const { ctx } = world.tenant;
    const minted = await generateApiKey(
      { db, prefix: "wharf", send: async () => undefined },
      {
        ctx: { ...ctx, principal: user("ada"), respondBy: ctx.deadline },
        body: { name: "k", preset: "Runner" },
      },
    );
    const started = { ...item, id: randomUUID(), starterId: minted.item.id };
    await transact(db, [putApproval(world.tenantId, started)]);
    expect(await mayDecide(started, caller(user("ada")))).toContain("Who started");
    expect(await mayDecide(started, caller(key(["ada@example.com"])))).toContain("Who started");
    expect(await mayDecide(started, caller(user("bob")))).toBe(true);
    const revocation = { ...ctx, principal: user("ada"), respondBy: ctx.deadline };
    await revokeApiKey(
      { db, send: async () => undefined },
      { ctx: revocation, keyId: minted.item.id },
    );
    expect(await mayDecide(started, caller(user("ada")))).toContain("Who started");
  });
});

describe("a list of approvals", () => {
  test("has those that match, newest first, and pending ones by pages", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", asking());
    await world.deploy("b", asking());
    for (const agent of ["a", "b", "a", "a"]) await world.execute(agent);
    const all = await list();
    expect(all.map(({ agentId }) => agentId)).toEqual(["a", "a", "b", "a"]);
    const [newest, , ofB] = await Array.fromAsync(listApprovals(db, world.tenantId));
    if (!newest || !ofB) throw new Error("there are fewer approvals");
    await decide(newest, caller(user("ada")));
    expect(await ids({ status: "Pending" })).toEqual(all.slice(1).map(({ id }) => id));
    expect(await ids({ status: "Decided" })).toEqual([newest.id]);
    expect(await ids({ agentId: "b" })).toEqual([ofB.id]);
    expect(await ids({ executionId: ofB.executionId })).toEqual([ofB.id]);
    expect(await ids({ executionId: randomUUID() })).toEqual([]);
    const first = await page({ status: "Pending" }, { size: 2, skip: 0 });
    expect(first.nextPageToken).toBe("2");
    const rest = await page({ status: "Pending" }, { size: 2, skip: 2 });
    expect(rest.nextPageToken).toBeNull();
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(
      all.slice(1).map(({ id }) => id),
    );
  });

  test("without the scope to read executions has those that the caller is an approver of", async () => {
    const item = await request({ approvers: { users: ["ada"] } });
    const runner = { scopes: ["agents:execute"] };
    const [ada, bob] = [user("ada", runner), user("bob", runner)];
    const read = (principal: Principal, approvalId = item.id) =>
      readApproval(db, { tenantId: world.tenantId, principal, approvalId });
    expect(await ids({}, ada)).toEqual([item.id]);
    expect(await read(ada)).toEqual(item);
    expect(await ids({}, bob)).toEqual([]);
    const refusal = await refused(read(bob));
    expect(refusal.members).toEqual({ requiredScope: "executions:read" });
    expect(await refused(read(bob, randomUUID()))).toEqual(refusal);
    expect((await refused(read(user("bob"), randomUUID()))).slug).toBe("not-found");
  });

  test("of pending ones does not read those that were decided, however many", {
    tags: "nightly",
  }, async () => {
    const item = await request();
    const { pk } = approvalKey(world.tenantId, item.id);
    const stored = (await db.scan()).find((found) => found.pk === pk);
    const later = Array.from({ length: maxReadForPage + 1 }, (_, at) => {
      const id = uuidAt(world.tenant.ctx.clock() + 1 + at, randomBytes(10));
      const ended = { ...stored, ...approvalKey(world.tenantId, id), id, status: "Decided" };
      return { ...ended, [indexPartitionKey]: undefined, [indexSortKey]: undefined };
    });
    await insert(later);
    expect(await page({}, { size: 1, skip: 0 })).toMatchObject({
      items: [{ id: later.at(-1)?.id }],
    });
    db.calls.length = 0;
    expect(await page({ status: "Pending" }, { size: 50, skip: 0 })).toMatchObject({
      items: [{ id: item.id }],
      nextPageToken: null,
    });
    expect(db.calls).toEqual(["Query", "BatchGetItem"]);
  });

  test("ends a page early when its approvals are large", { tags: "nightly" }, async () => {
    await request();
    const [item] = await Array.fromAsync(listApprovals(db, world.tenantId));
    if (!item) throw new Error("there is no approval");
    const data = "x".repeat(300_000);
    for (let at = 0; at < 25; at += 1) {
      await transact(db, [putApproval(world.tenantId, { ...item, id: randomUUID(), data })]);
    }
    let [seen, skip] = [0, 0];
    for (let token: string | null = "0"; token !== null; skip = Number(token)) {
      const { items, nextPageToken } = await page({}, { size: 200, skip });
      expect(responseBytes(items)).toBeLessThan(maxResponseBytes);
      seen += items.length;
      token = nextPageToken;
    }
    expect(seen).toBe(26);
  });

  describe("that the caller may decide", () => {
    const mine = (principal: Principal, filter: ApprovalFilter = {}) =>
      ids({ ...filter, mayDecide: true }, principal);
    /** Stores variants of an approval, and returns their ids, the newest first. */
    const store = async (item: ApprovalItem, variants: readonly Partial<ApprovalItem>[]) => {
      const stored = variants.map((more, at) => {
        const id = uuidAt(world.tenant.ctx.clock() + 1 + at, randomBytes(10));
        return { ...item, id, ...more };
      });
      for (const variant of stored) await transact(db, [putApproval(world.tenantId, variant)]);
      return stored.map(({ id }) => id).reverse();
    };

    test("has those that a decision of the caller is accepted for, and no others", {
      tags: "nightly",
    }, async () => {
      const item = await request({ approvers: { users: ["ada", "bob"] }, minApprovals: 2 });
      const starterId = "ada";
      const [late, allowed, started, ofBob] = await store(item, [
        { approvers: { users: ["bob"] } },
        { starterId, allowStarter: false },
        { starterId, allowStarter: true },
        { expiresAt: world.tenant.ctx.clock() },
      ]);
      expect(await mine(user("ada"))).toEqual([allowed, item.id]);
      expect(await mine(user("bob"))).toEqual([allowed, started, ofBob, item.id]);
      expect(await mine(user("carl"))).toEqual([]);
      expect(await ids({ status: "Pending" })).toContain(late);
      // An approver who has chosen waits for the others.
      await decide(item, caller(user("ada")));
      expect(await mine(user("ada"))).toEqual([allowed]);
      expect(await mine(key(["ada"]))).toEqual([allowed]);
      expect(await mine(user("ada"), { executionId: randomUUID() })).toEqual([]);
      expect(await mine(user("ada"), { status: "Decided" })).toEqual([]);
    });

    test("are none for a reader who may not run agents", async () => {
      await request({ approvers: { users: ["ada"] } });
      expect(await mine(user("ada", { scopes: ["executions:read"] }))).toEqual([]);
    });

    test("come by pages that look up at most so many agents and starters, and none twice", {
      tags: "nightly",
    }, async () => {
      const item = await request();
      const shared = Array.from({ length: 30 }, () => ({ agentId: "shared" }));
      const others = Array.from({ length: maxLookedUpForPage + 20 }, (_, at) => ({
        agentId: `b${at}`,
      }));
      const expected = await store(item, [...others, ...shared]);
      const ada = user("ada");
      const pages: string[][] = [];
      for (let token: string | null = "0"; token !== null; ) {
        db.calls.length = 0;
        const request = { size: 200, skip: Number(token) };
        const { items, nextPageToken } = await page({ mayDecide: true }, request, ada);
        const roleReads = db.calls.filter((call) => call === "GetItem" || call === "BatchGetItem");
        // Items are read by 25, and the roles at an agent once.
        expect(roleReads.length).toBeLessThanOrEqual(maxLookedUpForPage + 8);
        pages.push(items.map(({ id }) => id));
        token = nextPageToken;
      }
      expect(pages.length).toBe(2);
      expect(pages.flat()).toEqual([...expected, item.id]);
    });
  });

  const page = (filter: ApprovalFilter, request: PageRequest, principal = user("ada")) =>
    listReadableApprovals(
      db,
      { tenant: world.tenant.ctx.tenant, principal, filter, now: world.tenant.ctx.clock() },
      request,
    );
  const list = async (filter: ApprovalFilter = {}, principal = user("ada")) =>
    (await page(filter, { size: 200, skip: 0 }, principal)).items;
  const ids = async (filter: ApprovalFilter, principal = user("ada")) =>
    (await list(filter, principal)).map(({ id }) => id);
});

describe("a tenant with 10,000 pending approvals", () => {
  test("has no execution that asks for another one", { tags: "nightly" }, async () => {
    const slow = gate();
    world = testWaiting(db, async (prompt) => {
      await slow.promise;
      return prompt;
    });
    await world.deploy("a", asking());
    await insert(
      Array.from({ length: 10_000 }, () => {
        const key = approvalKey(world.tenantId, randomUUID());
        return {
          ...key,
          [indexPartitionKey]: pendingApprovalsList(world.tenantId).pk,
          [indexSortKey]: key.sk,
        };
      }),
    );
    const { slug, message } = await refused(world.execute("a"));
    expect(slug).toBe("conflict");
    expect(message).toContain("at most 10000");
    expect(await world.statuses("a")).toEqual(["Failed"]);
    await world.deploy("b", buildFlow([step(), ask("slow")], []));
    const running = refused(world.execute("b"));
    await vi.waitUntil(() => world.asked.includes("asked slow"), { timeout: 30_000 });
    world.timers.pass(requestAfterMs);
    expect(await running).toMatchObject({ slug: "conflict", members: { step: "decide" } });
    slow.resolve();
  });
});

/** Writes items in batches. */
const insert = async (items: readonly Record<string, unknown>[]) => {
  const writes = items.map((Item) => ({ PutRequest: { Item: structuredClone(Item) } }));
  for (let at = 0; at < writes.length; at += 25) {
    const RequestItems = { [db.table]: writes.slice(at, at + 25) };
    await db.client.send(new BatchWriteCommand({ RequestItems }));
  }
};
