import type { Manifest } from "./manifest.ts";
import type { Deletion } from "./move-store.ts";
import { formatCount, sum } from "./progress.ts";
import type { Compared } from "./verify-tenant.ts";

const describeSize = ({ counts, objects, vectors }: Manifest): string =>
  `${formatCount(sum(counts))} items, ${formatCount(objects.count)} objects (${formatCount(objects.bytes)} bytes), ${formatCount(vectors)} vectors`;

const openExecutionsLine = ({ openExecutions }: Manifest): string[] =>
  openExecutions === 0
    ? []
    : [
        `${formatCount(openExecutions)} executions or experiments had not ended: an import cancels them.`,
      ];

const omittedLines = ({ omitted, secrets }: Manifest): string[] =>
  secrets.form !== "omitted" || omitted.length === 0
    ? []
    : ["Secrets to enter again after an import:", ...omitted.map((secret) => `  ${secret}`)];

/** Formats the result of an export. */
export const formatExport = (manifest: Manifest, address: string): string =>
  [
    `${manifest.tenant.slug} (${manifest.tenant.id}) is in ${address}: ${describeSize(manifest)}`,
    ...openExecutionsLine(manifest),
    ...omittedLines(manifest),
  ].join("\n");

/** Formats the result of an import. */
export const formatImport = (manifest: Manifest): string =>
  [
    `${manifest.tenant.slug} (${manifest.tenant.id}) is imported: ${describeSize(manifest)}`,
    ...omittedLines(manifest),
  ].join("\n");

/** Formats the result of a deletion. */
export const formatDeletion = ({ slug, tenantId, deleted, finishedAt }: Deletion): string =>
  `${slug} (${tenantId}): ${formatCount(sum(deleted))} items deleted${finishedAt === null ? ", some are left" : ""}`;

/** Formats a comparison as a table; lines that are right and zero are left out. */
export const formatComparison = (compared: readonly Compared[]): string => {
  const shown = compared.filter(
    ({ expected, found, isRight }) => !isRight || expected > 0 || found > 0,
  );
  const wrong = compared.filter(({ isRight }) => !isRight).length;
  const lines = shown.map(
    ({ name, expected, found, isRight }) =>
      `${isRight ? "right" : "WRONG"}  ${String(found).padStart(9)} of ${String(expected).padStart(9)}  ${name}`,
  );
  return [
    ...lines,
    wrong === 0 ? "verified: all counts are right" : `${wrong} counts are wrong`,
  ].join("\n");
};
