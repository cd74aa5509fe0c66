import type { StepType } from "../step-type.ts";
import { approvalStep } from "./approval.ts";
import { conditionStep } from "./condition.ts";
import { forEachStep } from "./for-each.ts";
import { outputStep } from "./output.ts";
import { promptStep } from "./prompt.ts";
import { retrieveStep } from "./retrieve.ts";
import { subAgentStep } from "./sub-agent.ts";
import { toolStep } from "./tool.ts";
import { transformStep } from "./transform.ts";
import { waitStep } from "./wait.ts";

/** All types of steps. */
export const stepTypes: readonly StepType[] = [
  promptStep,
  toolStep,
  subAgentStep,
  retrieveStep,
  conditionStep,
  transformStep,
  forEachStep,
  approvalStep,
  waitStep,
  outputStep,
];
