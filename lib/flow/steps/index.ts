import type { StepType } from "../step-type.ts";
import { conditionStep } from "./condition.ts";
import { outputStep } from "./output.ts";
import { promptStep } from "./prompt.ts";
import { toolStep } from "./tool.ts";
import { transformStep } from "./transform.ts";

/** All types of steps. */
export const stepTypes: readonly StepType[] = [
  promptStep,
  toolStep,
  conditionStep,
  transformStep,
  outputStep,
];

/** Types that flows can't use yet. */
export const laterStepTypes: readonly string[] = ["SubAgent", "ForEach"];
