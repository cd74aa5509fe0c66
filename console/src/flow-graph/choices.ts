import { changeStep, connectSteps, type Draft, disconnectSteps, readFlow } from "./edit-flow.ts";
import { isRecord, itemsIn, type Members, textIn, withItem } from "./members.ts";

/** A way out of a step that the step itself declares. `handle` names it: `cases/0`, `actions/0` or `otherwise`. */
export type Choice = { handle: string; target: unknown; label: string };

/** Returns the cases of a Condition, and the actions of an Approval. */
export const readChoices = (step: Members): Choice[] => {
  if (step.type === "Approval") {
    return itemsIn(step.actions).flatMap((action, at) =>
      isRecord(action)
        ? [
            {
              handle: `actions/${at}`,
              target: action.target,
              label: String(action.label ?? action.id ?? ""),
            },
          ]
        : [],
    );
  }
  if (step.type !== "Condition") return [];
  const cases = itemsIn(step.cases).flatMap((item, at) =>
    isRecord(item)
      ? [{ handle: `cases/${at}`, target: item.target, label: String(item.when ?? "") }]
      : [],
  );
  return [...cases, { handle: "otherwise", target: step.otherwise, label: "otherwise" }];
};

/** Makes a choice of a step lead to another step. */
export const setChoice = (
  draft: Draft,
  { source, handle }: { source: string; handle: string },
  target: string,
): Draft => {
  const [list = "", place] = handle.split("/");
  return changeStep(draft, source, (step) => {
    if (place === undefined) return { ...step, [list]: target };
    const items = itemsIn(step[list]);
    const item = items[Number(place)];
    return isRecord(item)
      ? { ...step, [list]: withItem(items, Number(place), { ...item, target }) }
      : step;
  });
};

/** A connection of the graph: an edge, or a choice of its source. */
export type Connected = {
  source: string;
  target: string;
  on?: unknown;
  handle?: string | undefined;
};

/** Connects two steps by an edge, or by a choice of the first one. */
export const connect = (draft: Draft, { handle, ...edge }: Connected): Draft =>
  handle === undefined
    ? connectSteps(draft, edge)
    : setChoice(draft, { source: edge.source, handle }, edge.target);

/** Puts a step between two connected ones. */
export const insertBetween = (draft: Draft, connected: Connected, id: string): Draft => {
  const { source, target, on, handle } = connected;
  const opened = handle === undefined ? disconnectSteps(draft, { source, target, on }) : draft;
  const first = connect(opened, { source, target: id, ...(on !== undefined && { on }), handle });
  return connectSteps(first, { source: id, target });
};

/** Lets a step follow another one: by a choice that leads nowhere yet, else by a new case, else by an edge. */
export const follow = (draft: Draft, source: string, target: string): Draft => {
  const step = readFlow(draft).steps.find(
    (candidate) => isRecord(candidate) && candidate.id === source,
  );
  if (!isRecord(step) || step.type !== "Condition") return connectSteps(draft, { source, target });
  const free = readChoices(step).find((choice) => textIn(choice.target) === "");
  if (free) return setChoice(draft, { source, handle: free.handle }, target);
  return changeStep(draft, source, (members) => ({
    ...members,
    cases: [...itemsIn(members.cases), { when: "", target }],
  }));
};
