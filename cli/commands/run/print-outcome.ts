import type { ExecutionDetail, ExecutionResult } from "../../../client/openapi.ts";
import { showCost, showDuration } from "../../amounts.ts";
import type { Io } from "../../io.ts";
import { printMessage } from "../../output.ts";

/** Prints sources, status, duration, tokens and cost of an ended execution to stderr, and its error. */
export const printOutcome = (execution: ExecutionResult | ExecutionDetail, io: Io): void => {
  const { id, inputTokens, outputTokens, totalCost } =
    "id" in execution
      ? execution
      : { id: execution.executionId, ...execution.usage, ...execution.cost };
  if ("id" in execution && execution.error !== null) {
    const { title, detail, step } = execution.error;
    printMessage(io, `wharf: ${title}: ${detail}${step === null ? "" : ` (step ${step})`}`);
  }
  printSources(execution, io);
  const { status, startTime, endTime, agentRevision, priced } = execution;
  const facts = [
    ...(endTime === null ? [] : [showDuration(endTime - startTime)]),
    ...(inputTokens + outputTokens > 0 ? [`${inputTokens} + ${outputTokens} tokens`] : []),
    `cost ${showCost(totalCost, priced)}`,
    `revision ${agentRevision}`,
    `execution ${id}`,
  ];
  printMessage(io, `${status}: ${facts.join(", ")}`);
};

/** Prints the documents that the execution found. */
const printSources = ({ citations }: Pick<ExecutionResult, "citations">, io: Io): void => {
  const documents = citations.map(({ assetId, documentName, link }) =>
    [documentName, link ?? `(${assetId})`].join("  "),
  );
  if (documents.length === 0) return;
  printMessage(io, "Sources found:");
  for (const document of new Set(documents)) printMessage(io, `  ${document}`);
};
