import { isRecord, type Members, withMember } from "../../../flow-graph/members.ts";
import { toToolMembers } from "./tool-keys.ts";

/** The calls of a tool that need an approval. */
export type ApprovalMode = "never" | "always" | "writes" | "expression";

/** Returns the calls of a tool that need an approval. */
export const readMode = (item: unknown): ApprovalMode => {
  const { approval } = toToolMembers(item);
  if (approval === true) return "always";
  if (approval === "writes") return "writes";
  return typeof approval === "string" ? "expression" : "never";
};

/** Changes the calls of a tool that need an approval. An item with nothing but its id becomes the id. */
export const withMode = (item: unknown, mode: ApprovalMode): unknown => {
  const members = toToolMembers(item);
  switch (mode) {
    case "always":
      return { ...members, approval: true };
    case "writes":
      return { ...members, approval: "writes" };
    case "expression":
      return { ...members, approval: "{% arguments.NAME > 100 %}" };
    case "never":
      return isRecord(item) ? withoutApproval(item) : item;
  }
};

const withoutApproval = (item: Members): unknown => {
  const kept = ["approval", "approvers", "allowStarter"].reduce(
    (members, name) => withMember(members, name, undefined),
    item,
  );
  const [first, ...others] = Object.keys(kept);
  return first === "toolId" && others.length === 0 ? kept.toolId : kept;
};
