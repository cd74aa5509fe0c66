import { type Key, type ListKey, revisionDigits, tenantPartition } from "../../platform/db/keys.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";

const experimentsPartition = (tenantId: TenantId): string => `TENANT#${tenantId}#EXPERIMENTS`;

export const experimentKey = (tenantId: TenantId, experimentId: string): Key => ({
  pk: experimentsPartition(tenantId),
  sk: experimentId,
});

export const experimentsList = (tenantId: TenantId): ListKey => ({
  pk: experimentsPartition(tenantId),
  prefix: "",
});

const experimentPartition = (tenantId: TenantId, experimentId: string): string =>
  `TENANT#${tenantId}#EXPERIMENT#${experimentId}`;

/** The config of an experiment, which never changes. */
export const configKey = (tenantId: TenantId, experimentId: string): Key => ({
  pk: experimentPartition(tenantId, experimentId),
  sk: "CONFIG",
});

/** The summary of an ended experiment. */
export const summaryKey = (tenantId: TenantId, experimentId: string): Key => ({
  pk: experimentPartition(tenantId, experimentId),
  sk: "SUMMARY",
});

/** An experiment and its tenant. */
export type ExperimentKey = { tenantId: TenantId; experimentId: string };

/** A run of an experiment. */
export type RunKey = { revision: number; exampleId: string; repetition: number };

const resultPrefix = (revision: number): string => `RESULT#${revisionDigits(revision)}#`;
const repetitionDigits = (repetition: number): string => String(repetition).padStart(2, "0");

/** The result of a run: the repetitions of an example are adjacent. */
export const resultKey = (
  tenantId: TenantId,
  experimentId: string,
  { revision, exampleId, repetition }: RunKey,
): Key => ({
  pk: experimentPartition(tenantId, experimentId),
  sk: `${resultPrefix(revision)}${exampleId}#${repetitionDigits(repetition)}`,
});

/** Returns the run that the key of a result names. */
export const parseRunKey = ({ sk }: Pick<Key, "sk">): RunKey => {
  const [, revision = "", exampleId = "", repetition = ""] = sk.split("#");
  return { revision: Number(revision), exampleId, repetition: Number(repetition) };
};

/** The results of an experiment, or of one of its revisions. */
export const resultsList = (
  tenantId: TenantId,
  experimentId: string,
  revision?: number,
): ListKey => ({
  pk: experimentPartition(tenantId, experimentId),
  prefix: revision === undefined ? "RESULT#" : resultPrefix(revision),
});

/** Range of the results of a revision from one example to another, both inclusive. */
export const resultsBetween = (revision: number, first: string, last: string) => ({
  from: `${resultPrefix(revision)}${first}#`,
  to: `${resultPrefix(revision)}${last}#~`,
});

const openPartition = "OPEN-EXPERIMENTS";

/** Key and index attributes of an experiment that has not ended. */
export const inOpenExperiments = (
  tenantId: TenantId,
  experimentId: string,
): Key & Record<string, string> => ({
  ...openExperimentKey(tenantId, experimentId),
  [tableAttributes.indexPartitionKey]: openPartition,
  [tableAttributes.indexSortKey]: `${experimentId}#${tenantId}`,
});

export const openExperimentKey = (tenantId: TenantId, experimentId: string): Key => ({
  pk: experimentPartition(tenantId, experimentId),
  sk: "OPEN",
});

/** Names the tenant's experiments that have not ended. */
export const tenantOpenKey = (tenantId: TenantId): Key => ({
  pk: tenantPartition(tenantId),
  sk: "OPEN-EXPERIMENTS",
});

/** Experiments of all tenants that have not ended. */
export const openExperimentsList: ListKey = { pk: openPartition, prefix: "" };

/** Returns the experiment that the key of its partition names. */
export const parseExperimentKey = ({
  pk,
}: Pick<Key, "pk">): { tenantId: TenantId; experimentId: string } => {
  const [, tenantId = "", , experimentId = ""] = pk.split("#");
  return { tenantId: TenantId.parse(tenantId), experimentId };
};
