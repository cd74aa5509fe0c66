import { follow, insertBetween, setChoice } from "../../flow-graph/choices.ts";
import { addStep, type Draft, findStepIndex } from "../../flow-graph/edit-flow.ts";
import type { InsertPlace } from "../../flow-graph/editing.ts";
import { itemsIn } from "../../flow-graph/members.ts";

/** A provider of models that a first Prompt can use. */
type Provider = { id: string; type: string; defaultModel: string | null };

/** Adds a step of a type at a place of the graph. */
export const placeStep = (
  draft: Draft,
  type: string,
  place: InsertPlace,
): { draft: Draft; id: string } => {
  const added = addStep(draft, type);
  const connected = connectNew(added.draft, added.id, place);
  return { ...added, draft: connected };
};

const connectNew = (draft: Draft, id: string, place: InsertPlace): Draft => {
  switch (place.type) {
    case "between":
      return insertBetween(draft, place.connected, id);
    case "after": {
      const { source, handle } = place;
      if (findStepIndex(draft, source) < 0) return draft;
      return handle === undefined
        ? follow(draft, source, id)
        : setChoice(draft, { source, handle }, id);
    }
    case "anywhere":
      return draft;
  }
};

/** Describes a place in words. */
export const describePlace = (place: InsertPlace): string => {
  switch (place.type) {
    case "between":
      return `Between ${place.connected.source} and ${place.connected.target}`;
    case "after":
      return `After ${place.source}`;
    case "anywhere":
      return "Starts with the execution, unless an earlier step leads to it";
  }
};

/** Gives the revision of a first Prompt a model: that of a provider with a default model, else of the first one. */
export const withModel = (draft: Draft, type: string, providers: readonly Provider[]): Draft => {
  if (type !== "Prompt" || itemsIn(draft.llmConfigs).length > 0) return draft;
  const provider = providers.find(({ defaultModel }) => defaultModel !== null) ?? providers[0];
  return provider ? { ...draft, llmConfigs: [{ providerId: provider.id, parameters: {} }] } : draft;
};
