/** Tab of the list. */
export type ExperimentsSearch = { tab?: "scorers" };

/** Parses the search of the list's address; what is unknown is dropped. */
export const experimentsSearchOf = ({ tab }: Record<string, unknown>): ExperimentsSearch =>
  tab === "scorers" ? { tab } : {};

/** What a new experiment starts with. */
export type NewExperimentSearch = { dataset?: string; agent?: string };

const isText = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

/** Parses the search of the address of a new experiment; what is unknown is dropped. */
export const newExperimentSearchOf = ({
  dataset,
  agent,
}: Record<string, unknown>): NewExperimentSearch => ({
  ...(isText(dataset) && { dataset: String(dataset) }),
  ...(isText(agent) && { agent: String(agent) }),
});

const tabs = ["regressions", "results", "versions"] as const;

/** A tab of an experiment. */
export type ExperimentTab = (typeof tabs)[number];

/** What an experiment's page shows: its tab, the revisions that are compared, and the scorer. */
export type ExperimentSearch = {
  tab?: ExperimentTab;
  revision?: number;
  against?: number;
  scorer?: string;
};

/** Parses the search of an experiment's address; what is unknown is dropped. */
export const experimentSearchOf = (search: Record<string, unknown>): ExperimentSearch => {
  const { revision, against, scorer } = search;
  const tab = tabs.find((each) => each === search.tab);
  return {
    ...(tab && { tab }),
    ...(Number.isInteger(revision) && { revision: Number(revision) }),
    ...(Number.isInteger(against) && { against: Number(against) }),
    ...(isText(scorer) && { scorer: String(scorer) }),
  };
};
