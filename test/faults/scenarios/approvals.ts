import { differs, type Scenario, unsuccessful, wrongEffects } from "../scenario.ts";
import {
  decide,
  enforceBudgets,
  findDecision,
  readExecution,
  startWaiting,
  untilAsked,
  untilEnded,
  wrongRace,
} from "../waits.ts";
import { callsModel, connect, createProvider, effectStep, takesId } from "./steps.ts";

const actions = ["pay", "keep"] as const;

/**
 * Approvals that get two decisions at the same moment: one is accepted, and the step after it runs with that one. The
 * models before and after it are paid once.
 */
export const approvals: Scenario = {
  name: "approvals",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await world.receiveApprovalEvents(tenant);
    await createProvider(world, tenant);
    await tenant.deployAgent("payer", {
      ...takesId,
      flow: connect([
        callsModel,
        {
          id: "decide",
          type: "Approval",
          title: "Pay {% input.id %}?",
          actions: actions.map((id) => ({ id, label: id })),
          allowStarter: true,
        },
        effectStep(world, "{% input.id & '-' & steps.decide.output.action %}"),
        { ...callsModel, id: "thank" },
        { id: "out", type: "Output", value: "{% steps.decide.output.action %}" },
      ]),
    });
    await enforceBudgets(tenant, ["payer"]);
    const wrong: string[] = [];
    /** Names of the executions, by id, and their accepted actions. */
    const started = new Map<string, string>();
    const accepted = new Map<string, string>();
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const id = `${tenant.id}-payment-${n}`;
        const executionId = await startWaiting(tenant, "payer", { n, id });
        started.set(executionId, id);
        const asked = await untilAsked(tenant, executionId);
        const [approval] = asked;
        if (asked.length !== 1 || !approval) throw new Error(`${asked.length} approvals`);
        const responses = await Promise.all(
          actions.map((action) => decide(tenant, approval, { action, comment: id })),
        );
        wrong.push(...wrongRace(`decisions of ${id}`, responses));
        const won = responses.findIndex(({ status }) => status === 200);
        const action = actions[won];
        if (action) accepted.set(executionId, action);
      },
      check: async () => {
        const ended = await untilEnded(world, tenant, { agents: ["payer"], budgeted: ["payer"] });
        const records = ended.records.flat();
        const outputs = await Promise.all(
          records.map(async ({ id }) => [id, (await readExecution(tenant, "payer", id)).output]),
        );
        const decided = new Map(ended.approvals.map((item) => [item.executionId, item]));
        return [
          ...wrong,
          ...ended.broken,
          ...(await unsuccessful(tenant, records)),
          ...differs(
            "executions",
            records.map(({ id }) => id).toSorted(),
            [...started.keys()].toSorted(),
          ),
          ...differs("approvals", ended.approvals.length, started.size),
          ...outputs.flatMap(([id, output]) => {
            const approval = decided.get(String(id));
            const action = approval && findDecision(approval);
            const expected = accepted.get(String(id)) ?? action;
            return [
              ...differs(`decision of ${id}`, action, expected),
              ...differs(`output of ${id}`, output, expected),
              ...wrongEffects(world, [`${started.get(String(id))}-${expected}`]),
            ];
          }),
          ...differs(
            "effects",
            [...world.effects.counts.keys()].filter((name) =>
              name.startsWith(`${tenant.id}-payment-`),
            ).length,
            started.size,
          ),
        ];
      },
    };
  },
};
