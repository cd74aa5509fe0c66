import type { StepPlan } from "./step-type.ts";

/** Types of steps that only compute, so that repeating one costs nothing and has no effect. A `ForEach` does if its step does. */
export const computingTypes: ReadonlySet<string> = new Set([
  "Condition",
  "ForEach",
  "Output",
  "Transform",
]);

/** Returns whether no step does anything but compute. */
export const onlyCompute = (steps: readonly Pick<StepPlan, "type" | "inner">[]): boolean =>
  steps.every(
    ({ type, inner }) => computingTypes.has(type) && (inner === undefined || onlyCompute([inner])),
  );
