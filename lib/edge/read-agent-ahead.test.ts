import { expect, test } from "vitest";
import * as z from "zod";
import { runLink } from "../../test/harness/link.ts";
import { TenantId } from "../platform/db/tenant-id.ts";
import { unauthenticated } from "../platform/http/problems.ts";
import { type Ahead, readAgentAhead, takeAhead } from "./read-agent-ahead.ts";

const tenantId = TenantId.parse("00000000-0000-7000-8000-000000000001");
const Sent = z.object({ input: z.object({ Key: z.record(z.string(), z.string()) }) });

/** A link, and the keys of the items that it has read. */
const startLink = () => {
  const read: string[] = [];
  const send = async (command: unknown) => {
    read.push(Object.values(Sent.parse(command).input.Key).join(" / "));
    return { Item: { displayName: "Ada" } };
  };
  return { read, send, link: readAgentAhead({ readsAgent: true }) };
};

const callAs = (
  { link, send }: Pick<ReturnType<typeof startLink>, "link" | "send">,
  {
    key = "wharf_a",
    agent = "hello",
    work,
  }: { key?: string; agent?: string; work?: () => never } = {},
) =>
  runLink(link, {
    known: {
      database: () => ({ client: { send }, table: "t" }),
      pathValues: { tenant: "demo", agent },
      principal: { type: "ApiKey", id: "k", organizationId: "o", scopes: [], userIds: [] },
      tenant: { id: tenantId },
    },
    event: { multiValueHeaders: { "x-api-key": [key] } },
    ...(work && { work }),
  });

test("an agent is read ahead for a caller who was admitted to it before, and for no other caller or agent", async () => {
  const started = startLink();
  await callAs(started);
  expect(started.read).toEqual([]);
  await callAs(started, { key: "wharf_b" });
  await callAs(started, { agent: "other" });
  expect(started.read).toEqual([]);
  const { context } = await callAs(started);
  expect(await z.custom<Ahead>().parse(context.ahead).read).toEqual({
    agent: { displayName: "Ada" },
    held: [],
  });
  expect(started.read).toEqual([expect.stringContaining("hello")]);
});

test("nothing is read ahead for a caller who was refused since", async () => {
  const started = startLink();
  const refuse = () => {
    throw unauthenticated();
  };
  await callAs(started);
  await callAs(started, { work: refuse });
  const { context } = await callAs(started);
  expect(context.ahead).toBeUndefined();
  expect(started.read.length).toBeLessThanOrEqual(1);
});

test("a read that fails is as none", async () => {
  const { link } = startLink();
  const send = () => Promise.reject(new Error("the table is busy"));
  await callAs({ link, send });
  const { context } = await callAs({ link, send });
  expect(await z.custom<Ahead>().parse(context.ahead).read).toBeUndefined();
});

test("an agent that was read ahead is used for the same agent and the same users alone", async () => {
  const found = { agent: { displayName: "Ada" }, held: [] };
  const ahead = { tenantId, agentId: "hello", userIds: ["ada"], read: Promise.resolve(found) };
  expect(await takeAhead(ahead, { tenantId, agentId: "hello", userIds: ["ada"] })).toBe(found);
  expect(
    await takeAhead(ahead, { tenantId, agentId: "hello", userIds: ["ada", "bob"] }),
  ).toBeUndefined();
  expect(await takeAhead(ahead, { tenantId, agentId: "other", userIds: ["ada"] })).toBeUndefined();
  expect(
    await takeAhead(undefined, { tenantId, agentId: "hello", userIds: ["ada"] }),
  ).toBeUndefined();
});
