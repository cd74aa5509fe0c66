import { addMembers, connectSteps, type Draft, findNeighbours, readFlow } from "./edit-flow.ts";
import { isRecord, type Members, textIn } from "./members.ts";

/** Text of a copied step, which other programs do not make. */
type Copied = { wharf: "step"; step: Members };

const findStep = (draft: Draft, id: string): Members | undefined =>
  readFlow(draft).steps.find((step): step is Members => isRecord(step) && step.id === id);

/** Returns a step as a text for the clipboard. */
export const copyStep = (draft: Draft, id: string): string | undefined => {
  const step = findStep(draft, id);
  const copied: Copied | undefined = step && { wharf: "step", step };
  return copied && JSON.stringify(copied, null, 2);
};

/** Reads a copied step; undefined for any other text. */
export const parseCopiedStep = (text: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    const isCopied = isRecord(value) && value.wharf === "step" && isRecord(value.step);
    return isCopied && isRecord(value.step) && textIn(value.step.type) !== ""
      ? value.step
      : undefined;
  } catch {
    return undefined;
  }
};

/** Adds a copied step, after another one if given. */
export const pasteStep = (
  draft: Draft,
  step: Members,
  after: string | undefined,
): { draft: Draft; id: string } => {
  const added = addMembers(draft, step, textIn(step.id) || textIn(step.type));
  return after === undefined
    ? added
    : { ...added, draft: connectSteps(added.draft, { source: after, target: added.id }) };
};

/** Adds a copy of a step, which waits for the same steps; nothing leads on from it. */
export const duplicateStep = (draft: Draft, id: string): { draft: Draft; id: string } => {
  const step = findStep(draft, id);
  if (!step) return { draft, id };
  const added = addMembers(draft, step, id);
  const sources = findNeighbours(draft, id, { side: "target" });
  return {
    ...added,
    draft: sources.reduce(
      (next, source) => connectSteps(next, { source, target: added.id }),
      added.draft,
    ),
  };
};
