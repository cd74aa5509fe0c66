import type { PolicyCondition, PolicyStatement } from "../template/policies.ts";
import { wildcard } from "./wildcard.ts";

/** One thing that a request does, as IAM sees it. */
export type Access = {
  /** Such as `dynamodb:PutItem`. */
  action: string;
  /** ARN. */
  resource: string;
  /** Values of the condition keys that this request has. */
  context?: () => ReadonlyMap<string, readonly string[]>;
};

/** Decides whether a caller may do what a request does. */
export type Authorizer = (caller: string, access: Access) => boolean;

type Compiled = {
  allow: boolean;
  covers: (access: Access) => boolean;
  conditions: ((context: ReadonlyMap<string, readonly string[]>) => boolean)[];
};

/** What a request without condition keys has. */
const noContext: ReadonlyMap<string, readonly string[]> = new Map();

/**
 * IAM's rules over the callers' statements: a matching Deny wins, else a matching Allow is needed.
 * Decisions that no condition touches are remembered by caller, action and resource.
 */
export const createAuthorizer = (
  statements: ReadonlyMap<string, readonly PolicyStatement[]>,
): Authorizer => {
  const callers = new Map(
    [...statements].map(([caller, own]) => [
      caller,
      { compiled: own.map(compile), remembered: new Map<string, boolean>() },
    ]),
  );
  return (caller, access) => {
    const known = callers.get(caller);
    if (!known) return false;
    const key = `${access.action} ${access.resource}`;
    const remembered = known.remembered.get(key);
    if (remembered !== undefined) return remembered;
    const covering = known.compiled.filter((statement) => statement.covers(access));
    const conditional = covering.some((statement) => statement.conditions.length > 0);
    const context = conditional ? (access.context?.() ?? noContext) : noContext;
    const holding = covering.filter(({ conditions }) =>
      conditions.every((holds) => holds(context)),
    );
    const decision = holding.length > 0 && holding.every((statement) => statement.allow);
    if (!conditional && known.remembered.size < maximumRemembered)
      known.remembered.set(key, decision);
    return decision;
  };
};

/** Object keys are resources too, so the memory of a long run is bounded. */
const maximumRemembered = 10_000;

const compile = (statement: PolicyStatement): Compiled => {
  const actions = statement.actions.map((pattern) => wildcard(pattern, { ignoreCase: true }));
  const resources = statement.resources.map((pattern) => wildcard(pattern));
  return {
    allow: statement.allow,
    covers: ({ action, resource }) =>
      actions.some((matches) => matches(action)) && resources.some((matches) => matches(resource)),
    conditions: statement.conditions.map(compileCondition),
  };
};

const compileCondition = ({
  operator,
  key,
  values,
}: PolicyCondition): Compiled["conditions"][number] => {
  const comparisons = values.map((value) =>
    operator.endsWith("Like") ? wildcard(value) : (actual: string) => actual === value,
  );
  const matches = (actual: string): boolean => comparisons.some((compare) => compare(actual));
  if (operator.startsWith("ForAllValues:")) {
    return (context) => (context.get(key) ?? []).every(matches);
  }
  return (context) => (context.get(key) ?? []).some(matches);
};
