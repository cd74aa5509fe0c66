import { readFileSync } from "node:fs";
import * as z from "zod";
import { formatPackageId, type LockedPackage } from "./lockfile.ts";

const LicenceRules = z.object({
  /** SPDX ids that a shipped package may have. */
  allowed: z.array(z.string()),
  /**
   * Shipped packages with another licence, or without an SPDX expression, and the reason for the
   * exception.
   */
  exceptions: z.array(
    z.object({ name: z.string(), licence: z.string(), reason: z.string().min(20) }),
  ),
});

/** Licences that shipped packages may have. */
export type LicenceRules = z.output<typeof LicenceRules>;

/** Reads `licences.json`. */
export const readLicenceRules = (): LicenceRules =>
  LicenceRules.parse(JSON.parse(readFileSync(new URL("licences.json", import.meta.url), "utf8")));

/**
 * Returns a sentence for every shipped package without an allowed licence, and for every exception
 * without a package.
 */
export const findLicenceProblems = (
  packages: readonly LockedPackage[],
  { allowed, exceptions }: LicenceRules,
): string[] => {
  const shipped = packages.filter(({ isShipped }) => isShipped);
  const isExcepted = (dependency: LockedPackage): boolean =>
    exceptions.some(
      ({ name, licence }) => name === dependency.name && licence === dependency.licence,
    );
  const refused = shipped.filter(
    (dependency) => !(isExcepted(dependency) || isAllowed(dependency.licence ?? "", allowed)),
  );
  const unused = exceptions.filter(
    ({ name, licence }) =>
      !shipped.some((dependency) => dependency.name === name && dependency.licence === licence),
  );
  return [
    ...refused.map(
      (dependency) =>
        `${formatPackageId(dependency)} is shipped under "${dependency.licence ?? "no licence"}", which infra/dependencies/licences.json does not allow.`,
    ),
    ...unused.map(
      ({ name, licence }) =>
        `infra/dependencies/licences.json excepts ${name} under "${licence}", but no such package is shipped.`,
    ),
  ];
};

/**
 * Whether a licence expression is fulfilled by allowed ids: by one operand of an OR, by both of an
 * AND.
 */
export const isAllowed = (expression: string, allowed: readonly string[]): boolean => {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const parseOr = (): boolean => {
    let fulfilled = parseAnd();
    while (tokens[at] === "OR") {
      at += 1;
      fulfilled = parseAnd() || fulfilled;
    }
    return fulfilled;
  };
  const parseAnd = (): boolean => {
    let fulfilled = one();
    while (tokens[at] === "AND") {
      at += 1;
      fulfilled = one() && fulfilled;
    }
    return fulfilled;
  };
  const one = (): boolean => {
    const token = tokens[at] ?? "";
    at += 1;
    if (token !== "(") return allowed.includes(token);
    const fulfilled = parseOr();
    const isClosed = tokens[at] === ")";
    at += 1;
    return fulfilled && isClosed;
  };
  return parseOr() && at === tokens.length;
};
