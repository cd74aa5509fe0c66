import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { getAgent } from "../../agents/agent/store.ts";
import { RevisionContent } from "../../agents/revision/content.ts";
import { createRevision } from "../../agents/revision/create-revision.ts";
import { DeployRevisionBody } from "../../agents/revision/deployment.ts";
import { getRevision } from "../../agents/revision/get-revision.ts";
import { listRevisionsNewestFirst } from "../../agents/revision/store.ts";
import { createSkill } from "../../agents/skill/create-skill.ts";
import { removeSkill } from "../../agents/skill/store.ts";
import { updateSkill } from "../../agents/skill/update-skill.ts";
import { findUnknownMembers } from "../../platform/http/unknown-members.ts";
import { deployTested } from "./deploy-tested.ts";
import { findVersions } from "./find-versions.ts";
import type { ExperimentItem } from "./items.ts";
import type { SummaryRow } from "./schemas.ts";
import { putExperimentEnd, putNewExperiment } from "./store.ts";

const experimentId = "01a20240-5c11-7d2c-8b5e-0a6d4e1f7399";

const row = (revision: number, scorer: string, mean: number | null, unscored = 0): SummaryRow => ({
  revision,
  scorer,
  mean,
  interval: null,
  passRate: null,
  count: 3,
  failures: 0,
  unscored,
  totalCost: 0,
  priced: true,
  p50Ms: null,
  p95Ms: null,
});

describe("a deployment that requires an experiment", () => {
  let db: TestDatabase;
  let world: ReturnType<typeof testExecutions>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    world = testExecutions(db);
    const { ctx, deps } = world.tenant;
    const skill = { id: "polite", displayName: "Polite", description: "Be polite" };
    await createSkill(deps, { ctx, body: skill });
    await createSkill(deps, { ctx, body: { ...skill, id: "gone" } });
    const content = {
      llmConfigs: [{ providerId: "test", parameters: {} }],
      flow: {
        steps: [{ id: "ask", type: "Prompt", prompt: "Hi", skills: ["polite", "gone"] }],
        edges: [],
      },
    };
    await world.deploy("hello", content);
    await world.deploy("other", content);
    const input = { agentId: "hello", content: RevisionContent.parse(content) };
    await createRevision(deps, { ctx, ...input });
    await removeSkill(db, world.tenantId, "gone");
  });

  /** Stores an experiment on revisions 1 and 2 of the agent `hello`, with its end. */
  const store = async (status: ExperimentItem["status"], change: Partial<ExperimentItem> = {}) => {
    const { tenantId } = world;
    const { flow } = await loadContent(2);
    const versions = await Promise.all(
      [1, 2].map((revision) => findVersions(db, tenantId, revision, flow)),
    );
    const now = world.tenant.ctx.clock();
    const item: ExperimentItem = {
      id: experimentId,
      displayName: null,
      datasetId: "questions",
      version: 1,
      split: null,
      agentId: "hello",
      revisions: [1, 2],
      scorers: ["correct", "polite"],
      repetitions: 1,
      concurrency: 5,
      maxCost: null,
      free: null,
      reserved: {},
      reservations: 0,
      status,
      error: null,
      progress: { total: 6, completed: 6, failed: 0 },
      totalCost: 0,
      priced: true,
      createdAt: now,
      createdBy: "admin",
      modifiedAt: now,
      endedAt: now,
      worker: "driver",
      leaseUntil: now,
      drive: {
        cursor: { after: null, index: 0, isDone: true },
        running: [],
        highestCost: {},
        stopping: null,
      },
      ...change,
    };
    const dataset = { contentId: "content", version: 1, abandoned: [] };
    await putNewExperiment(world.deps, tenantId, item, { dataset, scorers: [], versions });
    const { error, endedAt, modifiedAt, leaseUntil } = item;
    await putExperimentEnd(db, tenantId, experimentId, {
      worker: "driver",
      before: status,
      set: { status, error, endedAt, modifiedAt, leaseUntil },
      summary: [
        row(1, "correct", 1),
        row(2, "correct", 0.9),
        row(2, "polite", null),
        row(2, "brief", 1, 1),
      ],
      events: [],
    });
  };
  const loadContent = async (revision: number) =>
    getRevision(world.deps, { tenantId: world.tenantId, agentId: "hello", revision });
  const deploy = (minimum?: Record<string, number>, revision = 2, agentId = "hello") =>
    deployTested(world.tenant.deps, {
      ctx: world.tenant.ctx,
      agentId,
      revision,
      body: DeployRevisionBody.parse(minimum ? { require: { experimentId, minimum } } : {}),
    });
  const deployed = async () => {
    const page = { size: 10, skip: 0 };
    const { items } = await listRevisionsNewestFirst(db, world.tenantId, "hello", page);
    return items.find(({ agentRevision }) => agentRevision === 2);
  };

  test("is refused with the missed minimums, and changes nothing", {
    tags: "nightly",
  }, async () => {
    await store("Succeeded");
    await expect(
      deploy({ correct: 0.95, polite: 0, brief: 0.8, unknown: 0.1 }),
    ).rejects.toMatchObject({
      slug: "conflict",
      members: {
        shortfalls: [
          { scorer: "correct", value: 0.9, minimum: 0.95 },
          { scorer: "polite", value: null, minimum: 0 },
          { scorer: "brief", value: 0.75, minimum: 0.8 },
          { scorer: "unknown", value: null, minimum: 0.1 },
        ],
      },
    });
    expect((await getAgent(db, world.tenantId, "hello"))?.deployedRevision).toBe(1);
    expect(await deployed()).toMatchObject({ deployedAt: null, testedWith: null });
  });

  test("records the versions of skills that it was tested and deployed with", {
    tags: "nightly",
  }, async () => {
    await store("Succeeded");
    const tested = world.tenant.ctx.clock();
    world.tenant.advance(1_000);
    const { ctx, deps } = world.tenant;
    await updateSkill(deps, { ctx, skillId: "polite", body: { instructions: "!" } });
    expect((await deploy({ correct: 0.9 })).deployedRevision).toBe(2);
    const skills = (modifiedAt: number) => [
      { id: "polite", modifiedAt },
      { id: "gone", modifiedAt: null },
    ];
    const recorded = {
      testedWith: { experimentId, skills: skills(tested), integrationConfigs: [] },
      deployedWith: { skills: skills(tested + 1_000), integrationConfigs: [] },
    };
    expect(await deployed()).toMatchObject(recorded);
    await deploy();
    expect(await deployed()).toMatchObject(recorded);
  });

  test.each(["Running", "Failed", "Cancelled", "CostLimit"] as const)(
    "is refused while or after the experiment is %s",
    async (status) => {
      await store(status);
      await expect(deploy({ correct: 0.5 })).rejects.toMatchObject({
        slug: "conflict",
        message: expect.stringContaining(status),
      });
    },
  );

  test("is refused for an experiment of another agent or revision, or that does not exist", async () => {
    await expect(deploy({ correct: 0.5 })).rejects.toMatchObject({ slug: "not-found" });
    await store("Succeeded");
    const untested = { slug: "conflict", message: expect.stringContaining("did not test") };
    await expect(deploy({ correct: 0.5 }, 1, "other")).rejects.toMatchObject(untested);
    const { ctx, deps } = world.tenant;
    const flow = { steps: [], edges: [] };
    const content = RevisionContent.parse({ ...(await loadContent(1)), flow });
    const input = { agentId: "hello", content };
    await createRevision(deps, { ctx, ...input });
    await expect(deploy({ correct: 0.5 }, 3)).rejects.toMatchObject(untested);
  });

  test("is refused for an experiment of a deleted agent that had the same id", {
    tags: "nightly",
  }, async () => {
    await store("Succeeded", { createdAt: world.tenant.ctx.clock() - 1 });
    const untested = { slug: "conflict", message: expect.stringContaining("deleted agent") };
    await expect(deploy({ correct: 0.5 })).rejects.toMatchObject(untested);
  });

  test.each([
    [{ minimum: {} }, "/require/minimum"],
    [{ minimum: { correct: "high" } }, "/require/minimum/correct"],
    [{ minimum: { correct: 1 }, experiment: "x" }, "/require/experiment"],
  ])("has a body that is checked: %j", (members, pointer) => {
    const sent = { require: { experimentId, ...members } };
    const { error } = DeployRevisionBody.safeParse(sent);
    const unknown = findUnknownMembers(DeployRevisionBody, sent).map(({ path }) => path);
    const paths = [...(error?.issues ?? []).map(({ path }) => path), ...unknown];
    expect(paths.map((path) => `/${path.join("/")}`)).toContain(pointer);
  });
});
