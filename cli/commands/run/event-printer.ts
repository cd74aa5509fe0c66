import type { Writable } from "node:stream";
import type { ExecutionEvent } from "../../../client/execution-events.ts";
import type { TraceSpan } from "../../../client/openapi.ts";
import type { Io } from "../../io.ts";
import { printable, printableText } from "../../printable.ts";
import { styleOf } from "../../style.ts";

/** Prints the events of an execution. */
export type EventPrinter = {
  print: (event: ExecutionEvent) => void;
  /** Prints the end of a step, unless an event was printed for it. */
  printSpan: (span: TraceSpan) => void;
  /** Ends an open line; returns the text of the last step that printed some. */
  end: () => string;
};

/** Creates a printer: steps go to stderr, the text of models to `target`. */
export const eventPrinter = (io: Io, target: Writable): EventPrinter => {
  const style = styleOf(io.stderr, io);
  let step = "";
  let text = "";
  let isOpen = false;
  const ended = new Set<string>();
  const endLine = (): void => {
    if (isOpen) target.write("\n");
    isOpen = false;
  };
  const line = (words: string): void => {
    endLine();
    io.stderr.write(`${words}\n`);
  };
  const delta = (stepId: string, more: string): void => {
    if (stepId !== step) endLine();
    text = stepId === step ? text + more : more;
    step = stepId;
    target.write(printableText(more));
    isOpen = !more.endsWith("\n");
  };
  return {
    print: (event) => {
      switch (event.type) {
        case "step.started":
          if (event.stepId === step) step = "";
          return line(style.dim(`▸ ${printable(event.stepId)}${attemptOf(event.attempt)}`));
        case "output.delta":
          return delta(event.stepId, event.text);
        case "step.completed":
          ended.add(event.stepId);
          return line(style.green(`✓ ${printable(event.stepId)}`));
        case "step.failed":
          if (!event.willRetry) ended.add(event.stepId);
          return line(style.red(`✗ ${printable(event.stepId)}: ${printable(event.error.detail)}`));
        case "execution.started":
        case "execution.completed":
        case "execution.failed":
          return;
      }
    },
    printSpan: ({ stepId, status, error }) => {
      if (ended.has(stepId) || status === "Skipped") return;
      ended.add(stepId);
      const isDone = status === "Succeeded";
      const words = `${printable(stepId)}${error ? `: ${printable(error.detail)}` : ""}`;
      line(isDone ? style.green(`✓ ${words}`) : style.red(`✗ ${words}`));
    },
    end: () => {
      endLine();
      return text;
    },
  };
};

const attemptOf = (attempt: number): string => (attempt > 1 ? `, attempt ${attempt}` : "");
