import { differs, type Scenario, unsuccessful, wrongEffects } from "../scenario.ts";
import {
  decide,
  enforceBudgets,
  findDecision,
  readExecution,
  startWaiting,
  untilAsked,
  untilEnded,
} from "../waits.ts";
import { callsModel, connect, createProvider, effectStep, takesId } from "./steps.ts";

const items = ["a", "b"] as const;

/** Items of a ForEach with sub-agents that wait for approvals: every one is decided once, and its result is that of its item. */
export const waitingSubAgents: Scenario = {
  name: "sub-agents that wait",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await world.receiveApprovalEvents(tenant);
    await createProvider(world, tenant);
    const decision = { id: "decide", type: "Approval", title: "Go?", allowStarter: true };
    await tenant.deployAgent("child", {
      ...takesId,
      flow: connect([
        callsModel,
        decision,
        effectStep(world, "{% input.id %}"),
        { id: "out", type: "Output", value: "{% steps.decide.output.comment %}" },
      ]),
    });
    const call = {
      type: "SubAgent",
      agentId: "child",
      input: { id: "{% input.id & '-' & item %}" },
    };
    await tenant.deployAgent("parent", {
      ...takesId,
      flow: connect([{ id: "each", type: "ForEach", items, step: call }]),
    });
    const agents = ["parent", "child"];
    await enforceBudgets(tenant, agents);
    const names: string[] = [];
    const outputs = new Map<string, string[]>();
    const wrong: string[] = [];
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const id = `${tenant.id}-items-${n}`;
        const executionId = await startWaiting(tenant, "parent", { n, id });
        names.push(...items.map((item) => `${id}-${item}`));
        const asked = await untilAsked(tenant, executionId, items.length);
        // The first of them is decided twice; decisions come in another order than the items.
        const responses = await Promise.all(
          [...asked, ...asked.slice(0, 1)].map((approval) =>
            decide(tenant, approval, { action: "approve", comment: approval.executionId }),
          ),
        );
        wrong.push(...responses.filter(({ status }) => status !== 200).map(({ text }) => text));
        outputs.set(executionId, asked.map((approval) => approval.executionId).toSorted());
      },
      check: async () => {
        const ended = await untilEnded(world, tenant, { agents, budgeted: ["child"] });
        const [parents = [], children = []] = ended.records;
        const found = await Promise.all(
          parents.map(async ({ id }) => {
            const { output } = await readExecution(tenant, "parent", id);
            const list = Array.isArray(output) ? output.toSorted() : output;
            return differs(`output of ${id}`, list, outputs.get(id));
          }),
        );
        return [
          ...wrong,
          ...ended.broken,
          ...(await unsuccessful(tenant, [...parents, ...children])),
          ...differs("parents", parents.length * items.length, names.length),
          ...differs("children", children.length, names.length),
          ...differs(
            "decisions",
            ended.approvals.map(findDecision),
            names.map(() => "approve"),
          ),
          ...found.flat(),
          ...wrongEffects(world, names),
        ];
      },
    };
  },
};
