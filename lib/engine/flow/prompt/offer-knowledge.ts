import { StepError } from "../../step-error.ts";
import { type FlowAsset, type Passage, toCitations } from "../knowledge.ts";
import type { FlowSkill } from "../skill.ts";
import type { StepContext } from "../step-context.ts";
import type { Callable } from "./callable.ts";
import { knowledgeAsCallable } from "./knowledge-as-callable.ts";
import { resourcesAsCallable } from "./resources-as-callable.ts";

/** Assets of a Prompt and its skills that are searched. */
const maxSearched = 200;

/** Knowledge that a Prompt may use. */
type NamedKnowledge = {
  /** Ids of the assets that it names itself. */
  readonly ids: readonly string[];
  /** Assets of the revision. */
  readonly assets: readonly FlowAsset[];
  readonly skills: readonly FlowSkill[];
};

/**
 * Returns the tools that search the assets of a Prompt and read those of its skills. `found`: passages that an earlier run
 * found; the step's span keeps all.
 */
export const offerKnowledge = (
  { ids, assets, skills }: NamedKnowledge,
  context: StepContext,
  found: readonly Passage[],
): { offered: readonly Callable[]; cited: () => readonly Passage[] } => {
  const resources = skills.flatMap((skill) => skill.resources);
  const listIds = (isVectorized: boolean) =>
    resources.filter(({ vectorized }) => vectorized === isVectorized).map(({ assetId }) => assetId);
  const own = assets.filter(({ id }) => ids.includes(id));
  const optional = [...new Set(listIds(true))].filter(
    (id) => !own.some((asset) => asset.id === id),
  );
  const searched = [
    ...own,
    ...optional.map((id) => assets.find((asset) => asset.id === id) ?? { id, displayName: null }),
  ];
  if (searched.length > maxSearched) throw tooMany(searched.length);
  let all = found;
  const cite = (more: readonly Passage[]) => {
    all = toCitations([...all, ...more]);
    context.note({ citations: all });
  };
  const read = [...new Set(listIds(false))];
  const offered = [
    ...(searched.length > 0
      ? [knowledgeAsCallable({ assets: searched, optional }, context, cite)]
      : []),
    ...(read.length > 0 ? [resourcesAsCallable(read, context)] : []),
  ];
  return { offered, cited: () => all };
};

const tooMany = (count: number): StepError => {
  const detail = `The step and its skills name ${count} assets to search; at most ${maxSearched} are possible.`;
  return new StepError("execution-failed", detail);
};
