import { ExpressionError } from "../flow/expression-error.ts";
import { isDeeperThan, maxJsonDepth } from "../flow/json.ts";
import { parseExpression } from "../flow/parse-expression.ts";
import { createTemplateCache } from "../flow/template-cache.ts";
import { type InvalidPlace, validationFailed } from "../http/problems.ts";
import type { CreateSubscriptionBody } from "./schemas.ts";

/** Characters of JSON that a subscription's input may have. */
const longestInput = 65_536;
const mostErrors = 50;

/** Throws 400 with every place at which a subscription cannot work. */
export const checkSubscription = (body: CreateSubscriptionBody): void => {
  const errors = [...checkFilter(body), ...checkInput(body)];
  if (errors.length > 0) throw validationFailed(errors.slice(0, mostErrors));
};

const checkFilter = ({ filter }: CreateSubscriptionBody): InvalidPlace[] => {
  if (filter === null || filter === undefined) return [];
  try {
    parseExpression(filter);
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const detail = `${error.message} (at character ${error.position ?? 0}).`;
    return [{ pointer: "/filter", detail }];
  }
};

const checkInput = ({ input }: CreateSubscriptionBody): readonly InvalidPlace[] => {
  const pointer = "/input";
  if (input === null || input === undefined) return [];
  if (isDeeperThan(input, maxJsonDepth)) {
    return [{ pointer, detail: `must not be nested deeper than ${maxJsonDepth} levels` }];
  }
  if (JSON.stringify(input).length > longestInput) {
    return [{ pointer, detail: `must have at most ${longestInput} characters of JSON` }];
  }
  return createTemplateCache().collect(input, pointer).problems;
};
