import type { Exception } from "./exceptions.ts";
import type { FoundPattern } from "./find-patterns.ts";
import { measurePatternCost } from "./measure-pattern-cost.ts";

const matches = (exception: Exception, { file, pattern }: FoundPattern): boolean =>
  exception.file === file && exception.pattern === pattern;

const findPatternProblem = async (found: FoundPattern): Promise<string | undefined> => {
  const place = `${found.file}:${found.line}`;
  if (found.pattern === undefined) {
    return `${place}: a pattern built from a value must be listed in infra/patterns/exceptions.ts`;
  }
  const cost = await measurePatternCost(found.pattern, found.flags);
  if (cost === "linear") return undefined;
  const reason = cost === "unknown" ? "could not be shown to be linear" : "is not linear";
  return `${place}: /${found.pattern}/${found.flags} ${reason} on hostile text`;
};

/** Returns a line for each pattern that is neither linear nor listed, and for each exception without a pattern. */
export const checkPatterns = async (
  patterns: readonly FoundPattern[],
  exceptions: readonly Exception[],
): Promise<string[]> => {
  const open = patterns.filter(
    (found) => !exceptions.some((exception) => matches(exception, found)),
  );
  const problems = await Promise.all(open.map(findPatternProblem));
  const unused = exceptions
    .filter((exception) => !patterns.some((found) => matches(exception, found)))
    .map(({ file, pattern = "(built)" }) => `${file}: exception ${pattern} matches no pattern`);
  return [...problems.filter((problem) => problem !== undefined), ...unused];
};
