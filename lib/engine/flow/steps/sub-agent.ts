import * as z from "zod";
import { ChosenId } from "../../../platform/http/ids.ts";
import { buildPointer, isJsonObject } from "../../../values/json/json.ts";
import { StepError } from "../../step-error.ts";
import { defineStep } from "../step-type.ts";

/** Runs another agent as an execution of its own; outputs the agent's output. */
export const subAgentStep = defineStep({
  type: "SubAgent",
  shape: {
    agentId: ChosenId,
    input: z.union([z.record(z.string(), z.unknown()), z.string()]).nullish(),
  },
  waits: true,
  templated: () => ["input"],
  agents: ({ agentId }) => [{ agentId, pointer: buildPointer("agentId") }],
  async run({ agentId, input: template }, { evaluate, agents, signal, spanId, note }) {
    const input = await evaluate(template ?? {});
    if (!isJsonObject(input)) {
      throw new StepError("execution-failed", '"input" must return an object.');
    }
    note({ input: { agentId, input } });
    if (!agents) throw new StepError("execution-failed", "There are no other agents here.");
    const { output, executionId } = await agents.run({
      agentId,
      input,
      path: spanId,
      signal,
    });
    note({ input: { agentId, executionId, input } });
    return { output };
  },
});
