import { dollars } from "../engine/models/sums.ts";
import type { ExecutionItem } from "./items.ts";

/** Cost of an execution with its sub-agents, US dollars; not `priced` if one of them called a model without a price. */
export type TreeCost = { readonly cost: number; readonly priced: boolean };

/** No cost. */
export const noTreeCost: TreeCost = { cost: 0, priced: true };

/** Adds two costs. */
export const addTreeCosts = (one: TreeCost, other: TreeCost): TreeCost => ({
  cost: dollars(one.cost + other.cost),
  priced: one.priced && other.priced,
});

/** Members of a record that hold its cost with its sub-agents. */
type TreeMembers = Pick<ExecutionItem, "totalCostWithSubAgents" | "pricedWithSubAgents">;

/** Reads the cost of an execution with its sub-agents. */
export const readTreeCost = ({
  totalCostWithSubAgents: cost,
  pricedWithSubAgents: priced,
}: TreeMembers): TreeCost => ({ cost, priced });

/** Builds the members of an execution's record from its own cost and that of its sub-agents. */
export const toTreeMembers = (own: TreeCost, ofSubAgents: TreeCost): TreeMembers => {
  const { cost, priced } = addTreeCosts(own, ofSubAgents);
  return { totalCostWithSubAgents: cost, pricedWithSubAgents: priced };
};
