import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectable } from "../../../test/harness/connections.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import { startWrongIssuer } from "../../../test/harness/wrong-issuer.ts";
import { createToolRegistry } from "../../engine/tools/registry.ts";
import { ResumeConnectedMessage } from "../../integrations/messages.ts";
import { tenantTools } from "../../integrations/tools/tenant-tools.ts";
import type { Send } from "../../platform/queue/send.ts";
import { listApprovals } from "../approvals/approval-store.ts";
import { readTrace } from "../read/read-execution.ts";
import { resumeConnected } from "./end-wait.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
});

/** Messages of consents arrive before the write that follows them if `isEarly`. */
const start = async () => {
  const issuer = await startWrongIssuer();
  onTestFinished(issuer.close);
  const world = testWaiting(db);
  const { deps, tenant, tenantId } = world;
  const arrival = { isEarly: false };
  /** Messages of the function that received one early. */
  const again: { message: unknown; delaySeconds: number | undefined }[] = [];
  const send = async (
    queue: string,
    group: string,
    message: unknown,
    delaySeconds?: number,
  ): Promise<void> => {
    const connected = ResumeConnectedMessage.safeParse(message);
    if (!arrival.isEarly || !connected.success) {
      return tenant.deps.send(queue, group, message);
    }
    expect(delaySeconds).toBeGreaterThan(0);
    const sendAgain: Send = async (_queue, _group, sent, seconds) => {
      again.push({ message: sent, delaySeconds: seconds });
    };
    await resumeConnected({ ...deps, send: sendAgain }, connected.data);
  };
  const service = await connectable(db, issuer, {}, { ...tenant, deps: { ...tenant.deps, send } });
  onTestFinished(service.close);
  const { loadTools, configId } = service;
  deps.toolsFor = (id, people) =>
    tenantTools({ db, builtIn: createToolRegistry(), loadTools }, { tenantId: id, people });
  const tool = { integrationId: "openapi", toolId: "me", configId };
  await world.deploy("a", buildFlow([{ id: "me", type: "Tool", ...tool }], []));
  const { execution } = await world.execute("a");
  const { executionId } = execution;
  return {
    ...service,
    ...world,
    deps,
    tenantId,
    issuer,
    arrival,
    executionId,
    status: async () => (await world.read("a", executionId)).item.status,
    findAddress: async () => {
      const approvals = await Array.fromAsync(listApprovals(db, tenantId));
      const authorizeUrl = approvals.find(({ status }) => status === "Pending")?.authorizeUrl;
      return { authorizeUrl: authorizeUrl ?? null };
    },
    /** Delivers what was sent again, at its time. */
    deliverAgain: async () => {
      const sent = again.splice(0);
      for (const { message } of sent) tenant.sent.push(message);
      await world.dueAfter(Math.max(...sent.map(({ delaySeconds = 0 }) => delaySeconds)) * 1_000);
    },
    again,
  };
};

describe("an execution that waits for a consent", () => {
  test("is continued, and finds the token in no trace and no other item", async () => {
    const {
      status,
      findAddress,
      consent,
      dueAfter,
      received,
      deps,
      tenantId,
      executionId,
      tenant,
    } = await start();
    expect(await status()).toBe("Waiting");
    expect(await consent(await findAddress())).toEqual({ outcome: "connected" });
    await dueAfter(5_000);
    expect(await status()).toBe("Succeeded");
    expect(received).toEqual(["Bearer access-1"]);
    const now = tenant.ctx.clock();
    const trace = await readTrace(deps, { tenantId, agentId: "a", executionId, now });
    expect(JSON.stringify(trace)).toContain("holder-1");
    expect(JSON.stringify(trace)).not.toContain("access-1");
    expect(JSON.stringify(await db.scan())).not.toMatch(/(access|refresh)-1/);
  });

  test("is continued after a consent with tokens that were written after its message came", async () => {
    const { status, findAddress, consent, dueAfter, arrival, deliverAgain, again } = await start();
    await dueAfter(5_000);
    arrival.isEarly = true;
    expect(await consent(await findAddress())).toEqual({ outcome: "connected" });
    await dueAfter(5_000);
    expect(await status()).toBe("Waiting");
    // Later than the function of the consent can run.
    expect(again).toMatchObject([{ delaySeconds: 40 }]);
    await deliverAgain();
    expect(await status()).toBe("Succeeded");
  });

  test("asks for no second look when none waits any more", async () => {
    const { findAddress, consent, dueAfter, arrival, status, again, create } = await start();
    await consent(await findAddress());
    await dueAfter(5_000);
    expect(await status()).toBe("Succeeded");
    arrival.isEarly = true;
    expect(await consent(await create({ scopes: ["files.write"] }))).toEqual({
      outcome: "connected",
    });
    expect(again).toEqual([]);
  });

  /** Waits for a consent to a scope that the service wants, after a first consent. */
  const startWidening = async () => {
    const world = await start();
    world.wants.scope = "files.write";
    await world.consent(await world.findAddress());
    await world.dueAfter(60_000);
    expect(await world.status()).toBe("Waiting");
    world.arrival.isEarly = true;
    return world;
  };

  test("is continued after a consent to more scopes that was written after its message came", async () => {
    const { consent, findAddress, status, deliverAgain, dueAfter, wants } = await startWidening();
    expect(await consent(await findAddress())).toEqual({ outcome: "connected" });
    await dueAfter(5_000);
    expect(await status()).toBe("Waiting");
    wants.scope = null;
    await deliverAgain();
    expect(await status()).toBe("Succeeded");
  });

  test("fails after the server refused its scopes, which was written after its message came", async () => {
    const { consent, findAddress, issuer, status, deliverAgain, dueAfter, read, executionId } =
      await startWidening();
    issuer.authorization.error = "invalid_scope";
    expect(await consent(await findAddress())).toMatchObject({ code: "invalid_scope" });
    await dueAfter(5_000);
    expect(await status()).toBe("Waiting");
    await deliverAgain();
    const { output } = await read("a", executionId);
    expect(output?.error?.detail).toContain('needs the scopes "files.write"');
  });
});
