import { randomBytes } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import {
  type ApprovalItem,
  getApproval,
  listApprovals,
} from "../../executions/approvals/approval-store.ts";
import { countMail } from "../../notifications/alert/mail-count-store.ts";
import { type Mail, type SendMail, sendMail } from "../../notifications/alert/send-mail.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import { presets } from "../../platform/auth/scopes.ts";
import { pageHeaders } from "../../platform/http/html-page.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { generateApiKey } from "../../tenancy/api-key/generate-api-key.ts";
import { revokeApiKey } from "../../tenancy/api-key/revoke-api-key.ts";
import { deleteCollaborator } from "../../tenancy/collaborator/delete-collaborator.ts";
import { putCollaborator } from "../../tenancy/collaborator/put-collaborator.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { mailApprover } from "../notice/mail-approver.ts";
import type { CreateApprovalLinkBody } from "../schemas.ts";
import { createApprovalLink } from "./create-link.ts";
import type { Form } from "./read-form.ts";
import { renderPage } from "./render-page.ts";
import { submitLink } from "./submit-link.ts";
import { verifyLink } from "./verify-link.ts";

let db: TestDatabase;
let world: ReturnType<typeof testWaiting>;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  world = testWaiting(db);
  const { tenant, clock } = world.tenant.ctx;
  const times = { createdAt: clock(), modifiedAt: clock() };
  await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "T", ...times });
});

const user = (id: string): Principal => ({
  type: "User",
  id,
  organizationId: world.tenant.ctx.tenant.organizationId,
  scopes: presets.Admin,
  userIds: [id, `${id}@example.com`],
  email: `${id}@example.com`,
  apiKey: null,
});

const request = async (more: object = {}): Promise<ApprovalItem> => {
  const step = { id: "decide", type: "Approval", title: "Pay?", timeoutSeconds: 3_600, ...more };
  await world.deploy("a", buildFlow([step], []));
  await world.execute("a");
  await world.deliver();
  const [item] = await Array.fromAsync(listApprovals(db, world.tenantId));
  if (!item) throw new Error("there is no approval");
  return item;
};

const link = async (
  item: ApprovalItem,
  principal = user("ada"),
  body: CreateApprovalLinkBody = {},
) => {
  const { url, expiresAt } = await createApprovalLink(world.tenant.deps, {
    ctx: { ...world.tenant.ctx, randomBytes, principal },
    approvalId: item.id,
    body,
  });
  return { url: url ?? "", expiresAt };
};

const readToken = (url: string): string => url.split("/approval-links/")[1] ?? "";

const verify = (url: string, tenant = world.tenant.ctx.tenant) =>
  verifyLink(world.tenant.deps, { tenant, token: readToken(url) });

const submit = async (url: string, form: Form, isOpen = true) =>
  submitLink(
    { ...world.deps, runtime: world.tenant.ctx, isConnectorOpen: async () => isOpen },
    { link: await verify(url), form },
  );

const page = async (url: string, errors: readonly string[] = [], form: Form = {}) => {
  const { item, claims } = await verify(url);
  const isExpired = claims.expiresAt <= world.tenant.ctx.clock();
  return renderPage({ item, isExpired, errors, form });
};

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => z.object({ slug: z.string() }).parse(error).slug,
  );

const read = (item: ApprovalItem) => getApproval(db, world.tenantId, item.id);

describe("a link to an approval", () => {
  test("decides once, in the name of the approver who created it, and then shows the decision", {
    tags: "nightly",
  }, async () => {
    const fields = [
      { name: "amount", type: "Integer", required: true },
      { name: "urgent", type: "Boolean" },
      { name: "plan", type: "Json" },
      { name: "kind", type: "Option", options: ["a", { value: "b", displayName: "B!" }] },
    ];
    const item = await request({ fields });
    const { url, expiresAt } = await link(item);
    expect(url).toMatch(/^http:\/\/localhost\/v1\/tenants\/[0-9a-f-]+\/approval-links\/[\w.-]+$/);
    expect(expiresAt).toBe(item.expiresAt);
    const wrong = await submit(url, { action: "approve", "field.amount": "1.5" });
    expect(wrong.refusal).toEqual({ status: 400, errors: [expect.stringContaining("amount ")] });
    expect((await submit(url, { action: "toString" })).refusal?.status).toBe(400);
    expect(await read(item)).toEqual(item);
    const form = {
      action: "approve",
      comment: "Go\r\nahead",
      "field.amount": "7",
      "field.urgent": "false",
      "field.plan": '{"a": [1]}',
      "field.kind": "b",
      "field.other": "ignored",
    };
    const decided = await submit(url, form);
    expect(decided.refusal).toBeUndefined();
    expect(decided.item).toMatchObject({
      status: "Decided",
      decisions: [
        {
          action: "approve",
          fields: { amount: 7, urgent: false, plan: { a: [1] }, kind: "b" },
          comment: "Go\nahead",
          decidedBy: "link of ada@example.com",
        },
      ],
    });
    expect(await page(url)).toContain("Approve, by link of ada@example.com");
    expect(await page(url)).not.toContain("<form");
    expect((await submit(url, form)).refusal).toBeUndefined();
    const other = await submit(url, { action: "reject" });
    expect(other.refusal).toEqual({
      status: 409,
      errors: [expect.stringContaining("was decided")],
    });
    expect((await read(item))?.decisions).toHaveLength(1);
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
  });

  test("is made for an approver of a pending approval alone, for a minute up to its end", async () => {
    const item = await request({ approvers: { users: ["ada@example.com"] } });
    expect(await refusal(link(item, user("bob")))).toBe("insufficient-scope");
    const { ctx } = world.tenant;
    const short = await link(item, user("ada"), { expiresInSeconds: 60 });
    expect(short.expiresAt).toBe(ctx.clock() + 60_000);
    const long = await link(item, user("ada"), { expiresInSeconds: 31_536_000 });
    expect(long.expiresAt).toBe(item.expiresAt);
    await submit(short.url, { action: "approve" });
    expect(await refusal(link(item))).toBe("conflict");
  });

  test("is of the caller: who started the execution gets none", async () => {
    const item = await request();
    expect(await refusal(link(item, world.tenant.ctx.principal))).toBe("insufficient-scope");
  });

  test("that has expired decides nothing, and says so", async () => {
    const item = await request();
    const { url } = await link(item, user("ada"), { expiresInSeconds: 60 });
    world.tenant.advance(60_000);
    expect(await submit(url, { action: "approve" })).toMatchObject({ refusal: { status: 401 } });
    expect(await page(url)).toContain("The link has expired.");
    expect(await page(url)).not.toContain("<form");
    expect(await read(item)).toEqual(item);
  });

  test.each([
    ["altered", (url: string) => url.replace(/.$/, (last) => (last === "A" ? "B" : "A"))],
    ["cut", (url: string) => url.slice(0, -5)],
    ["without a signature", (url: string) => url.split(".").slice(0, -1).join(".")],
    ["of another content", (url: string) => url.replace(/links\/./, (start) => `${start}A`)],
  ])("that is %s is a 404", async (_, change) => {
    const { url } = await link(await request());
    const changed = change(url);
    expect(changed).not.toBe(url);
    expect(await refusal(verify(changed))).toBe("not-found");
  });

  test("of another tenant is a 404", async () => {
    const { url } = await link(await request());
    const { tenant } = testWaiting(db).tenant.ctx;
    expect(await refusal(verify(url, tenant))).toBe("not-found");
    const own = await link(await request());
    expect(await refusal(verify(own.url, tenant))).toBe("not-found");
  });

  test("of a key that was revoked, or of a user who lost the role, decides nothing", async () => {
    const item = await request({ approvers: { roles: ["Editor"] } });
    const { ctx, deps } = world.tenant;
    const caller = { ...ctx, randomBytes, principal: user("ada"), respondBy: ctx.deadline };
    const minted = await generateApiKey(deps, {
      ctx: caller,
      body: { name: "k", scopes: ["agents:execute"] },
    });
    const { id } = minted.item;
    const ofKey = await link(item, { ...user("ada"), type: "ApiKey", id, email: null });
    const ofUser = await link(item, user("bob"));
    await revokeApiKey(deps, { ctx: caller, keyId: id });
    const body = { role: "Viewer" } as const;
    await putCollaborator({ db }, { ctx, agentId: "a", userId: "bob", body });
    for (const { url } of [ofKey, ofUser]) {
      expect(await submit(url, { action: "approve" })).toMatchObject({ refusal: { status: 403 } });
    }
    expect(await read(item)).toEqual(item);
  });

  test.each([
    ["by role", {}],
    ["by name", { approvers: { users: ["bob@example.com"] } }],
  ])(
    "of a collaborator who is asked %s and was removed from the agent decides nothing",
    async (_, step) => {
      const { ctx } = world.tenant;
      const item = await request(step);
      const ids = { agentId: item.agentId, userId: "bob@example.com" };
      await putCollaborator({ db }, { ctx, ...ids, body: { role: "Editor" } });
      const { url } = await link(item, user("bob"));
      await deleteCollaborator({ db }, { ctx, ...ids });
      expect((await submit(url, { action: "approve" })).refusal).toEqual({
        status: 403,
        errors: [expect.stringContaining("no collaborator of the agent any more")],
      });
      expect(await read(item)).toEqual(item);
    },
  );

  test("shows the question with every text escaped, and changes nothing however often it is opened", async () => {
    const evil = `<script>alert("1")</script>'&`;
    const item = await request({
      title: evil,
      message: evil,
      data: { [evil]: evil },
      actions: [
        { id: "approve", label: evil },
        { id: "reject", label: "No" },
      ],
      fields: [
        { name: evil, type: "String", description: evil, displayName: evil, defaultValue: evil },
      ],
    });
    const { url } = await link(item);
    const before = await db.scan();
    const shown = await page(url, [evil], { comment: `${evil}</textarea>` });
    expect(shown).toBe(await page(url, [evil], { comment: `${evil}</textarea>` }));
    expect(await db.scan()).toEqual(before);
    expect(shown).not.toContain("<script");
    expect(shown.match(/<\/textarea>/g)).toHaveLength(2);
    expect(shown).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;");
    // Every attribute is in quotes, and no text ends one.
    expect(shown).not.toMatch(/<[a-z]+[^>]*\salert/);
    expect(pageHeaders["Content-Security-Policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(pageHeaders["Content-Security-Policy"]).not.toContain("script-src");
  });
});

describe("a mail to an approver", () => {
  /** Delivers the event of the request, twice, to an address. */
  const mail = async (
    item: ApprovalItem,
    address: string,
    limit = 2,
    send?: SendMail,
  ): Promise<Mail[]> => {
    const mails: Mail[] = [];
    const event: OrganizationEvent = {
      id: `approval.requested:${item.id}`,
      type: "approval.requested",
      organizationId: world.tenant.ctx.tenant.organizationId,
      tenantId: world.tenantId,
      agentId: "a",
      occurredAt: world.tenant.ctx.clock(),
      data: { approvalId: item.id },
    };
    for (let sent = 0; sent < limit; sent += 1) {
      await mailApprover(
        {
          ...{ db, sealer: world.tenant.deps.sealer, publicUrl: "https://api.example.com/live" },
          ...{ ...world.tenant.ctx, randomBytes },
          sendMail: send ?? (async (one) => void mails.push(one)),
        },
        { event, address },
      );
    }
    return mails;
  };
  const linkIn = ([sent]: readonly Mail[]) => /https:\S+/.exec(sent?.text ?? "")?.[0] ?? "";

  test("is sent once, with a link that decides in the name of the address", async () => {
    const item = await request({ approvers: { emails: ["Eve@Example.com"] } });
    const mails = await mail(item, "eve@example.com");
    expect(mails).toMatchObject([{ to: "eve@example.com", subject: "[Wharf] Pay?" }]);
    const url = linkIn(mails);
    expect(url).toMatch(/^https:\/\/api\.example\.com\/live\/v1\/tenants\//);
    expect((await submit(url, { action: "approve" })).item).toMatchObject({
      status: "Decided",
      decisions: [{ decidedBy: "link of eve@example.com" }],
    });
  });

  test("to an address that is no approver has a link that decides nothing", async () => {
    const item = await request({ approvers: { emails: ["eve@example.com"] } });
    const url = linkIn(await mail(item, "mallory@example.com"));
    expect(await submit(url, { action: "approve" })).toMatchObject({ refusal: { status: 403 } });
  });

  test("counts the owner of the address once, by whatever way", async () => {
    const emails = ["ada@example.com", "eve@example.com"];
    const item = await request({ minApprovals: 2, approvers: { emails } });
    const ada = linkIn(await mail(item, "ada@example.com"));
    await submit(ada, { action: "approve" });
    const again = (await link(item, user("ada"))).url;
    expect(await submit(again, { action: "approve" })).toMatchObject({
      item: { status: "Pending" },
    });
    const eve = linkIn(await mail(item, "eve@example.com"));
    expect(await submit(eve, { action: "approve" })).toMatchObject({ item: { status: "Decided" } });
  });

  test("beyond the limit of an hour is not sent, the last one says so, and the approval is decided by other ways", {
    tags: "nightly",
  }, async () => {
    const item = await request({ approvers: { emails: ["eve@example.com"] } });
    const earlier = { tenantId: world.tenantId, agentId: "a", type: "approval.requested" } as const;
    const count = () => countMail(db, earlier, "eve@example.com", world.tenant.ctx.clock());
    for (let sent = 0; sent < 19; sent += 1) await count();
    const [last] = await mail(item, "eve@example.com", 1);
    expect(last?.text).toContain("You will receive no more until the next hour.");
    world.tenant.advance(1);
    const more = await request({ approvers: { emails: ["eve@example.com"] } });
    expect(more.id).not.toBe(item.id);
    expect(await mail(more, "eve@example.com")).toEqual([]);
    expect(await read(more)).toMatchObject({ status: "Pending" });
    const { url } = await link(more, user("eve"));
    expect((await submit(url, { action: "approve" })).item).toMatchObject({ status: "Decided" });
  });

  test("is not sent by a deployment without a sender's address, and the approval is decided by other ways", async () => {
    const item = await request({ approvers: { emails: ["eve@example.com"] } });
    expect(await mail(item, "eve@example.com", 2, sendMail)).toEqual([]);
    expect(await read(item)).toEqual(item);
    const { url } = await link(item, user("eve"));
    expect((await submit(url, { action: "approve" })).item).toMatchObject({ status: "Decided" });
  });

  test("about an approval that has ended, or to a text that is no address, is not sent", async () => {
    const item = await request({ approvers: { emails: ["eve@example.com", "no address"] } });
    expect(await mail(item, "no address")).toEqual([]);
    await submit(linkIn(await mail(item, "eve@example.com")), { action: "reject" });
    expect(await mail({ ...item, id: item.id }, "bob@example.com")).toEqual([]);
  });
});
