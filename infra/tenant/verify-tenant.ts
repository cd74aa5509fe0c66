import { countObjects } from "./bucket-objects.ts";
import { classify, type Subject } from "./classify.ts";
import { findIndexes } from "./find-indexes.ts";
import type { Installation } from "./installation.ts";
import type { Manifest } from "./manifest.ts";
import { listObjectPrefixes } from "./object-families.ts";
import type { Pace } from "./pace.ts";
import { formatCount, type Progress } from "./progress.ts";
import { countSchedules } from "./schedules.ts";
import { schedulesFamily, tableFamilies } from "./table-families.ts";
import { scanTable } from "./table-items.ts";
import { countVectors } from "./vectors.ts";

/** Numbers of a tenant's items, objects, vectors and schedules in an installation. */
export type TenantCounts = {
  /** Number of items, by family. */
  items: Record<string, number>;
  /** Items that have expired, which the table deletes in days. */
  expired: number;
  objects: number;
  vectors: number;
  /** Indexes of vectors. */
  indexes: number;
  schedules: number;
};

/**
 * Counts what an installation has of a tenant, by reading the whole table.
 * @param known indexes and schedules that may exist without an item that names them
 */
export const countTenant = async (
  {
    installation,
    pace,
    progress,
    clock,
  }: {
    installation: Installation;
    pace: Pace;
    progress: Progress;
    clock: () => number;
  },
  {
    subject,
    known = { indexes: [], schedules: [] },
    withOrganization,
  }: {
    subject: Subject;
    known?: { indexes: readonly string[]; schedules: readonly string[] };
    /** Whether items of the organization count, too. */
    withOrganization: boolean;
  },
): Promise<TenantCounts> => {
  const items: Record<string, number> = {};
  const indexes = new Set(known.indexes);
  const schedules = new Set(known.schedules);
  const scan = { segment: 0, segments: 1, after: undefined, isConsistent: true };
  let read = 0;
  let expired = 0;
  for await (const page of scanTable(installation, scan, pace)) {
    read += page.items.length;
    progress(`verification: ${formatCount(read)} items read`);
    for (const item of page.items) {
      const classified = classify(item, subject);
      if (!classified?.owner) continue;
      if (classified.owner === "organization" && !withOrganization) continue;
      if (Number(item.ttl?.N ?? Number.POSITIVE_INFINITY) * 1_000 <= clock()) {
        expired += 1;
        continue;
      }
      const { name } = classified.family;
      items[name] = (items[name] ?? 0) + 1;
      for (const index of findIndexes(subject.tenantId, classified, item)) indexes.add(index);
      if (name === schedulesFamily)
        for (const name of item.names?.L ?? []) schedules.add(name.S ?? "");
    }
  }
  let objects = 0;
  for (const prefix of listObjectPrefixes(subject.tenantId)) {
    objects += await countObjects(installation, prefix);
  }
  const vectors = await Promise.all([...indexes].map((index) => countVectors(installation, index)));
  return {
    items,
    expired,
    objects,
    vectors: vectors.reduce<number>((total, count) => total + (count ?? 0), 0),
    indexes: vectors.filter((count) => count !== undefined).length,
    schedules: await countSchedules(installation, [...schedules]),
  };
};

/** A line of a comparison. */
export type Compared = { name: string; expected: number; found: number; isRight: boolean };

const shortLived: ReadonlySet<string> = new Set(
  tableFamilies.filter(({ isShortLived }) => isShortLived).map(({ name }) => name),
);

/**
 * Compares counts to those of an export. More is right: the tenant is in use. Fewer is right where
 * jobs remove items.
 */
export const compareToExport = (counts: TenantCounts, manifest: Manifest): Compared[] => {
  const compare = (name: string, expected: number, found: number): Compared => ({
    name,
    expected,
    found,
    isRight: found >= expected || shortLived.has(name),
  });
  return [
    ...Object.entries(manifest.counts)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, expected]) => compare(name, expected, counts.items[name] ?? 0)),
    compare("objects", manifest.objects.count, counts.objects),
    compare("vectors", manifest.vectors, counts.vectors),
  ];
};

const leases: ReadonlySet<string> = new Set(
  tableFamilies.filter(({ isLease }) => isLease).map(({ name }) => name),
);

/** Compares what is left after a deletion to nothing. A lease that a late message has taken is right: it expires. */
export const compareToDeleted = (counts: TenantCounts): Compared[] =>
  [
    ...Object.entries(counts.items).toSorted(([one], [other]) => one.localeCompare(other)),
    ["expired items", counts.expired] as const,
    ["objects", counts.objects] as const,
    ["vectors", counts.vectors] as const,
    ["indexes of vectors", counts.indexes] as const,
    ["schedules", counts.schedules] as const,
  ].map(([name, found]) => ({
    name,
    expected: 0,
    found,
    isRight: found === 0 || leases.has(name),
  }));
