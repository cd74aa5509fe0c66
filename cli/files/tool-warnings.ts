import { toolsInFlow } from "../../lib/agents/revision/flow-parts.ts";
import { didYouMean } from "../../lib/platform/http/nearest-name.ts";
import type { FileProblem } from "./file-problem.ts";
import type { AgentPlan } from "./plan.ts";
import type { Remote } from "./remote.ts";
import { problemAt } from "./yaml-document.ts";

/**
 * Finds the tools of differing files that their published configs do not have; asks the API, which may ask a remote
 * server. Tools that cannot be listed are not checked.
 */
export const findToolWarnings = async (
  remote: Pick<Remote, "listTools">,
  plans: readonly AgentPlan[],
): Promise<FileProblem[]> => {
  const lists = new Map<string, Promise<readonly string[] | undefined>>();
  const loadTools = (integrationId: string, configId: string) => {
    const list = lists.get(configId) ?? remote.listTools(integrationId, configId);
    lists.set(configId, list);
    return list;
  };
  const warnings: FileProblem[] = [];
  for (const { local, content, contentDiffers } of plans) {
    if (!contentDiffers) continue;
    for (const { pointer, integrationId, toolId, configId } of toolsInFlow(content)) {
      if (!configId) continue;
      const known = await loadTools(integrationId, configId);
      if (!known || known.includes(toolId)) continue;
      const detail = didYouMean(`the config has no tool "${toolId}"`, toolId, known);
      warnings.push(asWarning(problemAt(local.yaml, `${pointer}/toolId`, detail)));
    }
  }
  return warnings;
};

/** Marks a problem that does not stop the command. */
export const asWarning = (problem: FileProblem): FileProblem => ({
  ...problem,
  detail: `warning: ${problem.detail}`,
});
