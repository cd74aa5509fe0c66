import type { PolicyCondition, PolicyStatement } from "./policies.ts";
import { wildcard } from "./wildcard.ts";

/** An IAM action on a resource that a request needs permission for. */
export type Access = {
  /** IAM action, such as `dynamodb:PutItem`. */
  action: string;
  /** ARN. */
  resource: string;
  /** Returns the values of the request's condition keys. */
  context?: () => ReadonlyMap<string, readonly string[]>;
};

/** Returns whether a caller's policies allow an access. */
export type Authorizer = (caller: string, access: Access) => boolean;

type Compiled = {
  allow: boolean;
  covers: (access: Access) => boolean;
  conditions: ((context: ReadonlyMap<string, readonly string[]>) => boolean)[];
};

const noContext: ReadonlyMap<string, readonly string[]> = new Map();

/**
 * Creates an authorizer with IAM's evaluation rules: an explicit Deny wins, otherwise an Allow is required.
 * Decisions that depend on no condition are cached by caller, action and resource.
 */
export const createAuthorizer = (
  statements: ReadonlyMap<string, readonly PolicyStatement[]>,
): Authorizer => {
  const policies = new Map(
    [...statements].map(([caller, own]) => [
      caller,
      { compiled: own.map(compile), cache: new Map<string, boolean>() },
    ]),
  );
  return (caller, access) => {
    const policy = policies.get(caller);
    if (!policy) return false;
    const key = `${access.action} ${access.resource}`;
    const cached = policy.cache.get(key);
    if (cached !== undefined) return cached;
    const covering = policy.compiled.filter((statement) => statement.covers(access));
    const conditional = covering.some((statement) => statement.conditions.length > 0);
    const context = conditional ? (access.context?.() ?? noContext) : noContext;
    const holding = covering.filter(({ conditions }) =>
      conditions.every((holds) => holds(context)),
    );
    const decision = holding.length > 0 && holding.every((statement) => statement.allow);
    if (!conditional && policy.cache.size < maximumCached) policy.cache.set(key, decision);
    return decision;
  };
};

/** Limits the cache: each S3 object key is a resource of its own. */
const maximumCached = 10_000;

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
