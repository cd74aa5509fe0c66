import { differs, type Scenario, unsuccessful, wrongEffects } from "../scenario.ts";
import { readExecution, startWaiting, untilEnded, untilStatus } from "../waits.ts";
import { effectStep, takesId } from "./steps.ts";

/** Longer than a message can be delayed: each wait has a schedule. */
const seconds = 1_200;
const ends = ["decide", "pause", "called"] as const;

/** An approval, a wait and a callback of 20 minutes, at the same time, which end by their time, once. */
export const longWaits: Scenario = {
  name: "waits of 20 minutes",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await world.receiveApprovalEvents(tenant);
    await tenant.deployAgent("patient", {
      ...takesId,
      flow: {
        steps: [
          {
            id: "decide",
            type: "Approval",
            title: "Go?",
            timeoutSeconds: seconds,
            onTimeout: "reject",
            actions: ["approve", "reject"].map((id) => ({ id, label: id, target: "effect" })),
          },
          { id: "pause", type: "Wait", seconds },
          {
            id: "called",
            type: "Wait",
            callback: true,
            timeoutSeconds: seconds,
            onTimeout: "continue",
          },
          effectStep(world, "{% input.id %}"),
          {
            id: "out",
            type: "Output",
            value: ["{% steps.decide.output.action %}", "{% steps.called.output %}"],
          },
        ],
        edges: [...ends, "effect"].map((source) => ({
          source,
          target: source === "effect" ? "out" : "effect",
        })),
      },
    });
    const names = new Map<string, string>();
    return {
      tenantId: tenant.id,
      waitMs: (seconds + 1) * 1_000,
      // Their timers fire all together when the clock is moved.
      mostUnits: 30,
      act: async (n) => {
        const id = `${tenant.id}-long-${n}`;
        const executionId = await startWaiting(tenant, "patient", { n, id });
        names.set(executionId, id);
        await untilStatus(tenant, { agent: "patient", id: executionId, status: "Waiting" });
      },
      check: async () => {
        const { records, approvals, broken } = await untilEnded(world, tenant, {
          agents: ["patient"],
        });
        const all = records.flat();
        const outputs = await Promise.all(
          all.map(async ({ id }) => {
            const { output } = await readExecution(tenant, "patient", id);
            return differs(`output of ${id}`, output, ["reject", null]);
          }),
        );
        return [
          ...broken,
          ...(await unsuccessful(tenant, all)),
          ...differs(
            "executions",
            all.map(({ id }) => id).toSorted(),
            [...names.keys()].toSorted(),
          ),
          ...differs(
            "approvals",
            approvals.map(({ status }) => status),
            all.map(() => "TimedOut"),
          ),
          ...outputs.flat(),
          ...wrongEffects(world, [...names.values()]),
        ];
      },
    };
  },
};
