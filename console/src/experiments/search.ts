import { wholeNumber } from "../shared/search-params.ts";

/** Tab of the list. */
export type ExperimentsSearch = { tab?: "scorers" };

/** Parses the search of the list's address; unknown values are dropped. */
export const parseExperimentsSearch = ({ tab }: Record<string, unknown>): ExperimentsSearch =>
  tab === "scorers" ? { tab } : {};

/** Values that the form of a new experiment starts with. */
export type NewExperimentSearch = { dataset?: string; agent?: string };

/** Parses the search of the address of a new experiment; unknown values are dropped. */
export const parseNewExperimentSearch = ({
  dataset,
  agent,
}: Record<string, unknown>): NewExperimentSearch => ({
  ...(typeof dataset === "string" && { dataset }),
  ...(typeof agent === "string" && { agent }),
});

const tabs = ["regressions", "results", "versions"] as const;

/** A tab of an experiment. */
export type ExperimentTab = (typeof tabs)[number];

/** State of an experiment's page: its tab, the revisions that are compared, and the scorer. */
export type ExperimentSearch = {
  tab?: ExperimentTab;
  revision?: number;
  against?: number;
  scorer?: string;
};

/** Parses the search of an experiment's address; unknown values are dropped. */
export const parseExperimentSearch = (search: Record<string, unknown>): ExperimentSearch => {
  const [revision, against] = [wholeNumber(search.revision), wholeNumber(search.against)];
  const { scorer } = search;
  const tab = tabs.find((candidate) => candidate === search.tab);
  return {
    ...(tab && { tab }),
    ...(revision !== undefined && { revision }),
    ...(against !== undefined && { against }),
    ...(typeof scorer === "string" && { scorer }),
  };
};
