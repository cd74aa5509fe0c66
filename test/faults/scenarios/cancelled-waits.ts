import { differs, type Scenario, wrongEffects } from "../scenario.ts";
import {
  type Approval,
  decide,
  readExecution,
  startWaiting,
  untilAsked,
  untilEnded,
} from "../waits.ts";
import { connect, effectStep, takesId } from "./steps.ts";

/**
 * Executions that are cancelled while they wait for an approval: alone, at the same moment as a decision, a sub-agent's, and
 * by the deletion of their agent. A decision that was accepted counts, any other does not.
 */
export const cancelledWaits: Scenario = {
  name: "cancelled waits",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await world.receiveApprovalEvents(tenant);
    const revision = {
      ...takesId,
      flow: connect([
        { id: "decide", type: "Approval", title: "Go?", allowStarter: true },
        effectStep(world, "{% input.id %}"),
      ]),
    };
    await tenant.deployAgent("asker", revision);
    const call = {
      id: "call",
      type: "SubAgent",
      agentId: "asker",
      input: { id: "{% input.id %}" },
    };
    await tenant.deployAgent("parent", { ...takesId, flow: connect([call]) });
    const wrong: string[] = [];
    /** Expected ends of approvals and executions, by id. */
    const cancelled = new Set<string>();
    const decided = new Set<string>();
    const effects = new Map<string, string>();
    const deleted: Approval[] = [];
    const start = async (agent: string, n: number, name: string) => {
      const id = `${tenant.id}-${name}-${n}`;
      const executionId = await startWaiting(tenant, agent, { n, id });
      const [approval] = await untilAsked(tenant, executionId);
      if (!approval) throw new Error("no approval");
      effects.set(approval.id, id);
      return approval;
    };
    const cancel = async ({ executionId }: Approval): Promise<void> => {
      const path = `/agents/asker/execution-records/${executionId}`;
      const { status, text } = await tenant.send("POST", `${path}:cancel`);
      if (status === 202) cancelled.add(executionId);
      else if (status !== 409) wrong.push(`cancel of ${executionId}: ${status} ${text}`);
    };
    const approve = async (approval: Approval): Promise<void> => {
      const { status, text } = await decide(tenant, approval, { action: "approve" });
      if (status === 200) decided.add(approval.id);
      else if (status !== 409) wrong.push(`decision of ${approval.id}: ${status} ${text}`);
    };
    const remove = async (n: number): Promise<void> => {
      const agent = `gone-${n}`;
      await tenant.deployAgent(agent, revision);
      deleted.push(await start(agent, n, "gone"));
      const { status, text } = await tenant.send("DELETE", `/agents/${agent}`);
      if (status !== 204 && status !== 404) wrong.push(`DELETE ${agent}: ${status} ${text}`);
    };
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const [alone, raced, child] = await Promise.all([
          start("asker", n, "alone"),
          start("asker", n, "raced"),
          start("parent", n, "child"),
        ]);
        await Promise.all([cancel(alone), cancel(raced), approve(raced), cancel(child), remove(n)]);
        await approve(alone);
      },
      check: async () => {
        const ended = await untilEnded(world, tenant, { agents: ["asker", "parent"] });
        const [askers = [], parents = []] = ended.records;
        const approvals = new Map(
          ended.approvals.map((approval) => [approval.executionId, approval]),
        );
        const found = await Promise.all(
          askers.map(async ({ id }) => {
            const approval = approvals.get(id);
            const { status } = await readExecution(tenant, "asker", id);
            const isDecided = approval?.status === "Decided";
            const name = effects.get(approval?.id ?? "") ?? "";
            return [
              ...(cancelled.has(id) ? differs(`status of ${id}`, status, "Cancelled") : []),
              ...(status === "Cancelled" || (status === "Succeeded" && isDecided)
                ? []
                : [`${id} is ${status}, its approval ${approval?.status}`]),
              ...(status === "Succeeded" ? wrongEffects(world, [name]) : []),
              ...(isDecided || !world.effects.counts.has(name) ? [] : [`${name} had an effect`]),
            ];
          }),
        );
        return [
          ...wrong,
          ...ended.broken,
          ...found.flat(),
          ...differs(
            "executions",
            [askers.length, parents.length],
            [effects.size - deleted.length, parents.length],
          ),
          ...ended.approvals.flatMap(({ id, status }) =>
            decided.has(id) ? differs(`approval ${id}`, status, "Decided") : [],
          ),
          ...parents.flatMap(({ id, status }) =>
            differs(`caller ${id} of a cancelled one`, status, "Failed"),
          ),
          ...deleted.flatMap(({ id }) =>
            differs(
              `approval ${id} of a deleted agent`,
              ended.approvals.find((approval) => approval.id === id)?.status,
              "Cancelled",
            ),
          ),
        ];
      },
    };
  },
};
