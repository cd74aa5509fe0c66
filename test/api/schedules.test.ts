import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { schedulesPath } from "../../infra/local/storage/endpoint.ts";
import { expectProblem, newOrganization, stack } from "../harness/api.ts";

const Schedules = z.array(
  z.object({ description: z.string(), expression: z.string(), timeZone: z.string(), due: z.int() }),
);
const Policies = z.looseObject({ jobPolicyConfigs: z.array(z.looseObject({ id: z.uuid() })) });
const Records = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      startTime: z.int(),
      agentRevision: z.int(),
      trigger: z.unknown(),
    }),
  ),
});
const Detail = z.looseObject({ status: z.string(), output: z.unknown() });

const address = () => `${stack().services}${schedulesPath}`;

describe("job policies", () => {
  let organization: Awaited<ReturnType<typeof newOrganization>>;
  beforeAll(async () => {
    organization = await newOrganization();
  });

  const policyId = randomUUID();
  const hourly = (minute: string) => ({
    id: policyId,
    scheduleFrequency: "hourly",
    scheduleMinute: minute,
    timezone: "Asia/Kathmandu",
    prompt: "Good morning",
    timeout: 60,
  });
  const revision = (...jobPolicyConfigs: object[]) => ({
    parametersMetadata: [{ name: "prompt", type: "String", required: true }],
    flow: { steps: [{ id: "out", type: "Output", value: "{% input.prompt %}!" }], edges: [] },
    jobPolicyConfigs,
  });
  const listSchedules = async (agentId: string) => {
    const all = Schedules.parse(
      await (await fetch(address(), { headers: stack().operatorHeaders })).json(),
    );
    return all.filter(({ description }) =>
      description.includes(`tenant ${organization.tenantId}, agent ${agentId},`),
    );
  };
  const listExpressions = async (agentId: string) =>
    (await listSchedules(agentId)).map(({ expression }) => expression);
  const fireUntil = (until: number) =>
    fetch(address(), {
      method: "POST",
      body: JSON.stringify({ until }),
      headers: stack().operatorHeaders,
    });
  const listRecords = async (agentId: string) =>
    Records.parse((await organization.send("GET", `/agents/${agentId}/execution-records`)).body)
      .items;
  const pollOptions = { timeout: 20_000, interval: 100 };

  test("of an agent that requires other inputs are refused when the revision is deployed", async () => {
    const required = (name: string) => ({ name, type: "String", required: true });
    const deployed = async (agentId: string, content: object) => {
      await organization.send("POST", "/agents", { id: agentId, displayName: "A" });
      await organization.send("POST", `/agents/${agentId}/revisions`, content);
      return organization.try("POST", `/agents/${agentId}/revisions/1:deploy`);
    };
    const unfit = await deployed("demanding", {
      ...revision(hourly("1")),
      parametersMetadata: [
        { name: "prompt", type: "String", required: true },
        required("city"),
        { ...required("country"), defaultValue: "Nepal" },
        { ...required("token"), secret: true, defaultValue: "t" },
      ],
    });
    expect(expectProblem(unfit)).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "/jobPolicyConfigs/0", detail: expect.stringContaining("/input/city") }],
    });
    const silent = await deployed("silent", revision({ ...hourly("1"), prompt: null }));
    expect(expectProblem(silent)).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "/jobPolicyConfigs/0/prompt" }],
    });
    const shown = await organization.send("GET", "/agents/demanding");
    expect(shown.body).toMatchObject({ deployedRevision: null });
  });

  test("of a deployed revision become a schedule that runs the agent, once for one time", {
    tags: "nightly",
  }, async () => {
    await organization.deployAgent("clerk", revision(hourly("5")));
    await expect.poll(() => listExpressions("clerk"), pollOptions).toEqual(["cron(5 * * * ? *)"]);
    const due = (await listSchedules("clerk"))[0]?.due ?? 0;
    expect(due % 3_600_000).toBe(20 * 60_000);
    await fireUntil(due);
    await fireUntil(due);
    await expect.poll(async () => (await listRecords("clerk")).length, pollOptions).toBe(1);
    const [record] = await listRecords("clerk");
    expect(record).toMatchObject({
      agentRevision: 1,
      startTime: due,
      trigger: { type: 1, id: policyId, provider: null },
    });
    const read = async () =>
      Detail.parse(
        (await organization.send("GET", `/agents/clerk/execution-records/${record?.id}`)).body,
      );
    await expect.poll(async () => (await read()).status, pollOptions).toBe("Succeeded");
    expect(await read()).toMatchObject({
      output: "Good morning!",
      input: { prompt: "Good morning" },
    });
  });

  test("follow roll-backs and go with the agent", { tags: "nightly" }, async () => {
    await organization.deployAgent("mover", revision(hourly("10")));
    await expect.poll(() => listExpressions("mover"), pollOptions).toEqual(["cron(10 * * * ? *)"]);
    await organization.send("POST", "/agents/mover/revisions", revision());
    await organization.send("POST", "/agents/mover/revisions/2:deploy");
    await expect.poll(() => listExpressions("mover"), pollOptions).toEqual([]);
    await organization.send("POST", "/agents/mover/revisions/1:deploy");
    await expect.poll(() => listExpressions("mover"), pollOptions).toEqual(["cron(10 * * * ? *)"]);
    await organization.send("DELETE", "/agents/mover");
    await expect.poll(() => listExpressions("mover"), pollOptions).toEqual([]);
  });

  test("need no id: the service creates one", async () => {
    await organization.send("POST", "/agents", { id: "nameless", displayName: "Nameless" });
    const { id: _, ...policy } = hourly("7");
    const body = revision(policy, { ...policy, id: null });
    const created = await organization.send("POST", "/agents/nameless/revisions", body);
    const read = await organization.send("GET", "/agents/nameless/revisions/1");
    const ids = Policies.parse(created.body).jobPolicyConfigs.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(Policies.parse(read.body).jobPolicyConfigs.map(({ id }) => id)).toEqual(ids);
  });

  test("with invalid times are rejected with pointers", async () => {
    await organization.send("POST", "/agents", { id: "wrong", displayName: "Wrong" });
    const body = revision(
      { ...hourly("60"), timezone: "Mars/Olympus" },
      { ...hourly("1"), scheduleFrequency: "weekly", scheduleHour: "9" },
    );
    const response = await organization.try("POST", "/agents/wrong/revisions", { body });
    expect(response.status).toBe(400);
    expect(expectProblem(response).slug).toBe("validation-failed");
    expect(response.body).toMatchObject({
      errors: [
        { pointer: "/jobPolicyConfigs/1/id" },
        { pointer: "/jobPolicyConfigs/0/scheduleMinute" },
        { pointer: "/jobPolicyConfigs/0/timezone" },
        { pointer: "/jobPolicyConfigs/1/scheduleDay" },
      ],
    });
  });
});
