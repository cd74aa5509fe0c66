import { isRecord, itemsIn, type Members, textIn } from "../../flow-graph/members.ts";

/** Lists the namespaces, as written, in which the Prompts of a flow remember, without duplicates. */
export const listNamespaces = (flow: unknown): string[] => {
  const steps = isRecord(flow) ? itemsIn(flow.steps).filter(isRecord) : [];
  return [...new Set(steps.flatMap(listOwn))];
};

const listOwn = (step: Members): string[] => {
  const own = isRecord(step.memory) ? textIn(step.memory.namespace) : "";
  return [...(own === "" ? [] : [own]), ...(isRecord(step.step) ? listOwn(step.step) : [])];
};
