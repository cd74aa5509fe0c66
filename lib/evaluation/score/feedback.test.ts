import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { createFeedbackLink } from "./create-feedback-link.ts";
import { giveFeedback, verifyFeedback } from "./give-feedback.ts";
import { listScores } from "./list-scores.ts";
import type { FeedbackBody } from "./schemas.ts";

const templateRevision = {
  flow: { steps: [{ id: "answer", type: "Output", value: "Hello" }], edges: [] },
};

describe("a feedback link", () => {
  let db: TestDatabase;
  let world: ReturnType<typeof testExecutions>;
  let executionId: string;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    world = testExecutions(db);
    await world.deploy("hello", templateRevision);
    ({ executionId } = await world.executeToEnd("hello"));
  });

  const create = async (names: string[], in_ = world) => {
    const { url } = await createFeedbackLink(in_.deps, {
      ctx: in_.tenant.ctx,
      agentId: "hello",
      executionId,
      body: { names, expiresInSeconds: 3_600 },
    });
    const [address = "", token = ""] = (url ?? "").split("/feedback/");
    expect(address).toBe(`http://localhost/v1/tenants/${in_.tenantId}`);
    return token;
  };
  const verify = (token: string, of = world) =>
    verifyFeedback(world.deps, { tenantId: of.tenantId, token, now: world.tenant.ctx.clock() });
  const give = async (token: string, body: FeedbackBody) =>
    giveFeedback(db, await verify(token), body, world.tenant.ctx.clock());
  const scores = async () => {
    const of = { tenantId: world.tenantId, agentId: "hello", executionId };
    return (await listScores(db, { ...of, now: world.tenant.ctx.clock() }, { size: 100, skip: 0 }))
      .items;
  };

  test("is accepted once, also by requests at the same time", { tags: "nightly" }, async () => {
    const token = await create(["helpful"]);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => give(token, { value: true, comment: "Thank you!" })),
    );
    const failed = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason] : [],
    );
    expect(failed).toHaveLength(4);
    for (const error of failed) {
      expect(error).toMatchObject({ slug: "conflict", isRefusal: true });
    }
    await expect(give(token, { value: false })).rejects.toMatchObject({ slug: "conflict" });
    expect(await scores()).toMatchObject([
      {
        name: "helpful",
        value: true,
        comment: "Thank you!",
        source: "FeedbackLink",
        createdBy: null,
      },
    ]);
  });

  test("accepts only its names, and stays unused after a wrong one", async () => {
    const token = await create(["helpful", "correct"]);
    const wrong = { slug: "validation-failed", members: { errors: [{ pointer: "/name" }] } };
    for (const name of ["thumbs", "toString", undefined]) {
      await expect(give(token, { name, value: 1 })).rejects.toMatchObject(wrong);
    }
    await give(token, { name: "correct", value: 1 });
    expect(await scores()).toMatchObject([{ name: "correct" }]);
  });

  test("expires", async () => {
    const token = await create(["helpful"]);
    world.tenant.advance(3_600_000);
    await expect(verify(token)).rejects.toMatchObject({
      slug: "credentials-expired",
      isRefusal: true,
    });
  });

  test("is refused as unknown when any part of it was changed, or it is another tenant's", async () => {
    const other = testExecutions(db);
    await other.deploy("hello", templateRevision);
    const unknown = { slug: "not-found", isRefusal: true };
    // A tenant that never signed a link.
    await expect(verify("a.b", other)).rejects.toMatchObject(unknown);
    const token = await create(["helpful"]);
    const [payload = "", signature = ""] = token.split(".");
    const claims: unknown[] = JSON.parse(Buffer.from(payload, "base64url").toString());
    const forged = claims.with(3, ["correct"]);
    const tokens = [
      `${Buffer.from(JSON.stringify(forged)).toString("base64url")}.${signature}`,
      `${payload}.${signature.slice(1)}`,
      `${payload}.`,
      `.${signature}`,
      payload,
      "",
      ".",
      `${token}.`,
      `${payload}.${signature}=`,
      "__proto__.constructor",
      "🙂".repeat(500),
    ];
    for (const token of tokens) await expect(verify(token), token).rejects.toMatchObject(unknown);
    executionId = (await other.executeToEnd("hello")).executionId;
    const theirs = await create(["helpful"], other);
    await expect(verify(theirs)).rejects.toMatchObject(unknown);
    await expect(verify(token, other)).rejects.toMatchObject(unknown);
    await expect(verify(theirs, other)).resolves.toMatchObject({ names: ["helpful"] });
  });

  test("does not exceed the longest path, and is not created for an execution that does not exist", async () => {
    await expect(
      create(Array.from({ length: 10 }, (_, at) => "名".repeat(63) + at)),
    ).rejects.toMatchObject({ members: { errors: [{ pointer: "/names" }] } });
    const token = await create(["helpful"]);
    await deleteAgent(world.tenant.deps, { tenantId: world.tenantId, agentId: "hello" });
    await expect(create(["helpful"])).rejects.toMatchObject({ slug: "not-found" });
    await expect(give(token, { value: 1 })).rejects.toMatchObject({ slug: "not-found" });
  });
});
