export {
  getSubExecution,
  interrupted,
  isInterrupted,
  listSteps,
  listSubExecutions,
  putSteps,
  putSubExecution,
} from "./checkpoint-store.ts";
export type { ExecutionDeps, Job, RunAgent } from "./context.ts";
export {
  type ExecutionInput,
  type ExecutionRecord,
  isOpen,
  type Lease,
  ListedExecution,
  type StoredExecution,
  type StoredOutcome,
  type StoredValue,
  toStored,
} from "./items.ts";
export { type ExecutionKey, executionKey, executionPartKey } from "./keys.ts";
export {
  claimExecution,
  handOverMs,
  leaseAttributes,
  leaseMs,
  listOpenExecutions,
  maxClaims,
  maxExecutionMs,
  maxWaitMs,
  type OpenExecution,
  releaseExecution,
  renewalMs,
  renewExecution,
  requeueExecution,
  resendAfterMs,
  toStoredLease,
} from "./lease-store.ts";
export {
  jobSecrets,
  maskInEvents,
  maskInputs,
  maskInText,
  maskInTrace,
  maskInValue,
} from "./masks.ts";
export {
  type EvaluateExecutionMessage,
  type ExecutionRun,
  maxRunsPerMessage,
  type RunExecutionMessage,
} from "./messages.ts";
export { removeExecution } from "./purge-executions.ts";
export {
  addTreeCosts,
  countCost,
  noTreeCost,
  type RunOutcome,
  readOutcome,
  readTreeCost,
  type TreeCost,
  toExecutionError,
  toProblem,
  toResult,
  toTraceSpan,
  toTreeMembers,
} from "./results.ts";
export {
  type ExecuteAgentBody,
  type ExecutionResult,
  type ExecutionStatus,
  finalStatuses,
  type Trigger,
  triggerTypes,
} from "./schemas.ts";
export {
  getAgentAndExecution,
  getExecution,
  putNewExecution,
  readStatuses,
  reserveOnRecord,
} from "./store.ts";
export {
  hideSecrets,
  PartItem,
  placeValue,
  readInput,
  revealSecrets,
  type StoredPart,
  toExecutionKey,
} from "./values.ts";
