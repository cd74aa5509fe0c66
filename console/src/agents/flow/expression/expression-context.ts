import { createContext, use } from "react";
import type { ExpressionScope } from "./completions.ts";

/** Names and values for the expression fields of a step. */
export type ExpressionSurroundings = ExpressionScope & {
  /** Whether `values` are those of a run. */
  hasValues: boolean;
  /** Where the values come from, in words. */
  source: string;
  isReadOnly: boolean;
};

const nothing: ExpressionSurroundings = {
  inputs: [],
  steps: [],
  values: {},
  hasValues: false,
  source: "",
  isReadOnly: false,
};

/** Provides what expressions can read to the fields below. */
export const ExpressionContext = createContext<ExpressionSurroundings>(nothing);

/** Returns what expressions can read. */
export const useExpressionSurroundings = (): ExpressionSurroundings => use(ExpressionContext);
