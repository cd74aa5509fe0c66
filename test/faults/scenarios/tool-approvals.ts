import { differs, type Scenario, unsuccessful, wrongEffects } from "../scenario.ts";
import { decide, findDecision, startWaiting, untilAsked, untilEnded } from "../waits.ts";
import { takesId } from "./steps.ts";

const { stringify } = JSON;

/**
 * Tool calls of a model that are approved with other arguments, by a decision that is sent twice: the call is made with
 * these, and not with those of the model.
 */
export const toolApprovals: Scenario = {
  name: "tool approvals",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await world.receiveApprovalEvents(tenant);
    const url = (name: string): string => `${world.effects.url}/effects/${name}`;
    const call = {
      name: "http_request",
      arguments: { method: "POST", url: url("asked-{% input.id %}") },
    };
    await tenant.deployAgent("caller", {
      ...takesId,
      llmConfigs: [{ providerId: "echo", parameters: {} }],
      flow: {
        steps: [
          {
            id: "go",
            type: "Prompt",
            prompt: stringify({ call }),
            tools: [{ integrationId: "system", toolId: "http_request", approval: true }],
          },
        ],
        edges: [],
      },
    });
    const names: string[] = [];
    const wrong: string[] = [];
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const id = `${tenant.id}-call-${n}`;
        names.push(id);
        const executionId = await startWaiting(tenant, "caller", { n, id });
        const [approval] = await untilAsked(tenant, executionId);
        if (!approval) throw new Error("no approval");
        wrong.push(...differs(`arguments of ${id}`, approval.arguments?.url, url(`asked-${id}`)));
        const body = {
          action: "approve",
          arguments: { method: "POST", url: url(`approved-${id}`) },
        };
        const both = await Promise.all([1, 2].map(() => decide(tenant, approval, body)));
        wrong.push(
          ...differs(
            `decisions of ${id}`,
            both.map(({ status }) => status),
            [200, 200],
          ),
        );
      },
      check: async () => {
        const ended = await untilEnded(world, tenant, { agents: ["caller"] });
        const records = ended.records.flat();
        return [
          ...wrong,
          ...ended.broken,
          ...(await unsuccessful(tenant, records)),
          ...differs("executions", records.length, names.length),
          ...differs(
            "decisions",
            ended.approvals.map(findDecision),
            names.map(() => "approve"),
          ),
          ...wrongEffects(
            world,
            names.map((name) => `approved-${name}`),
          ),
          ...names
            .filter((name) => world.effects.counts.has(`asked-${name}`))
            .map((name) => `${name} was called as the model asked`),
        ];
      },
    };
  },
};
