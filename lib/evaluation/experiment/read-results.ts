import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { cutPage } from "../../platform/http/cut-page.ts";
import { mapPage, type Page, type PageRequest } from "../../platform/http/paging.ts";
import { notFound, validationFailed } from "../../platform/http/problems.ts";
import type { ExperimentItem } from "./items.ts";
import { listRegressions } from "./list-regressions.ts";
import { listExperimentResults } from "./result-store.ts";
import type { ExperimentResult } from "./schemas.ts";
import { getExperiment } from "./store.ts";
import { toExperimentResult } from "./to-experiment.ts";

/** Filters of results, as in the query. */
export type ResultFilters = {
  revision?: number | undefined;
  scorer?: string | undefined;
  regressedFrom?: number | undefined;
};

/**
 * Returns one page of an experiment's results, or of the examples that regressed. Throws 404, and 400 for a revision or
 * a scorer that the experiment does not have.
 */
export const readResults = async (
  storage: { db: Database; objects: ObjectStore },
  {
    place,
    filters,
    page,
  }: {
    place: { tenantId: TenantId; experimentId: string; now: number };
    filters: ResultFilters;
    page: PageRequest;
  },
): Promise<Page<ExperimentResult>> => {
  const { tenantId, experimentId } = place;
  const item = await getExperiment(storage.db, tenantId, experimentId);
  if (!item) throw notFound("experiment", experimentId);
  checkFilters(item, filters);
  const { scorer, regressedFrom } = filters;
  if (regressedFrom !== undefined) {
    const revision = filters.revision ?? otherRevision(item, regressedFrom);
    const scorers = scorer === undefined ? item.scorers : [scorer];
    const comparison = { agentId: item.agentId, scorers, revision, regressedFrom };
    return listRegressions(storage, { place, comparison, page });
  }
  const results = await listExperimentResults(storage.db, place, filters.revision, page);
  return cutPage(
    mapPage(results, (result) => toExperimentResult(result, scorer)),
    page,
  );
};

const checkFilters = (
  { revisions, scorers }: ExperimentItem,
  { revision, scorer, regressedFrom }: ResultFilters,
): void => {
  const names = (pointer: string, detail: string) => validationFailed([{ pointer, detail }]);
  if (revision !== undefined && !revisions.includes(revision)) {
    throw names("query/revision", "is not a revision of the experiment");
  }
  if (regressedFrom !== undefined && !revisions.includes(regressedFrom)) {
    throw names("query/regressedFrom", "is not a revision of the experiment");
  }
  if (regressedFrom !== undefined && regressedFrom === revision) {
    throw names("query/regressedFrom", "must not be the same as revision");
  }
  if (scorer !== undefined && !scorers.includes(scorer)) {
    throw names("query/scorer", "is not a scorer of the experiment");
  }
};

const otherRevision = ({ revisions }: ExperimentItem, regressedFrom: number): number => {
  const others = revisions.filter((revision) => revision !== regressedFrom);
  const [other] = others;
  if (other !== undefined && others.length === 1) return other;
  const detail = "is required with regressedFrom, unless the experiment has two revisions";
  throw validationFailed([{ pointer: "query/revision", detail }]);
};
