import type { Writable } from "node:stream";
import type { ExecutionEvent } from "../../../client/execution-events.ts";
import type { TraceSpan } from "../../../client/openapi.ts";
import type { Io } from "../../io.ts";
import { printMessage } from "../../output.ts";
import { printable, printableText } from "../../printable.ts";
import { createStyle } from "../../style.ts";

/** Prints the events of an execution. */
export type EventPrinter = {
  print: (event: ExecutionEvent) => void;
  /** Prints the end of a step, unless an event was printed for it. */
  printSpan: (span: TraceSpan) => void;
  /** Ends an open line; returns the text of the last step that printed some. */
  end: () => string;
};

/** Output of a step: a line to stderr, or text of a model. */
type Piece = { kind: "line" | "text"; stepId: string; words: string };

/** Output of a step that is not printed yet, and whether the step has ended. */
type Waiting = { pieces: Piece[]; hasEnded: boolean };

/**
 * Creates a printer: steps go to stderr, the text of models to `target`. The step that speaks first is printed as it
 * speaks; what happens in other steps meanwhile is kept, and follows a step at a time.
 */
export const eventPrinter = (io: Io, target: Writable): EventPrinter => {
  const style = createStyle(io.stderr, io);
  const writer = pieceWriter(io, target);
  const waiting = new Map<string, Waiting>();
  const ended = new Set<string>();
  let streamingStepId: string | undefined;

  const write = (piece: Piece): void => {
    writer.write(piece, style.dim(`▸ ${printable(piece.stepId)}`));
    if (piece.kind === "text") streamingStepId = piece.stepId;
  };
  const release = (stepId: string, { pieces }: Waiting): void => {
    waiting.delete(stepId);
    for (const piece of pieces) write(piece);
    streamingStepId = undefined;
  };
  /**
   * Prints the steps that have ended or have no output, then the first of the others, which
   * continues to stream.
   */
  const releaseAll = (isLast: boolean): void => {
    streamingStepId = undefined;
    for (const [stepId, output] of [...waiting]) {
      const isSilent = output.pieces.every(({ kind }) => kind === "line");
      if (isLast || output.hasEnded || isSilent) release(stepId, output);
    }
    const [next] = waiting;
    if (next === undefined) return;
    release(...next);
    streamingStepId = next[0];
  };
  const take = (piece: Piece, isEnd: boolean): void => {
    const { stepId } = piece;
    if (streamingStepId !== undefined && streamingStepId !== stepId) {
      const kept = waiting.get(stepId) ?? { pieces: [], hasEnded: false };
      kept.pieces.push(piece);
      kept.hasEnded = isEnd;
      waiting.set(stepId, kept);
      return;
    }
    write(piece);
    if (isEnd) releaseAll(false);
  };
  const line = (stepId: string, words: string, isEnd = true): void =>
    take({ kind: "line", stepId, words }, isEnd);

  return {
    print: (event) => {
      switch (event.type) {
        case "step.started": {
          const { stepId, attempt } = event;
          const words = style.dim(`▸ ${printable(stepId)}${formatAttempt(attempt)}`);
          return line(stepId, words, false);
        }
        case "output.delta":
          return take({ kind: "text", stepId: event.stepId, words: event.text }, false);
        case "output.reset": {
          const words = `↺ ${printable(event.stepId)}: the text so far is void, the step is retried`;
          return line(event.stepId, style.dim(words), false);
        }
        case "step.completed":
          ended.add(event.stepId);
          return line(event.stepId, style.green(`✓ ${printable(event.stepId)}`));
        case "step.failed": {
          const { stepId, error, willRetry, handled } = event;
          if (!willRetry) ended.add(stepId);
          const note = handled ? " (handled)" : "";
          const words = `✗ ${printable(stepId)}${note}: ${printable(error.detail)}`;
          return line(stepId, handled ? style.dim(words) : style.red(words));
        }
        case "execution.waiting":
          releaseAll(true);
          return printMessage(io, `Waiting until ${formatTime(event.until)}`);
        case "execution.started":
        case "execution.completed":
        case "execution.failed":
          return;
      }
    },
    printSpan: ({ stepId, status, error }) => {
      releaseAll(true);
      if (ended.has(stepId) || status === "Skipped") return;
      ended.add(stepId);
      const isDone = status === "Succeeded";
      const words = `${printable(stepId)}${error ? `: ${printable(error.detail)}` : ""}`;
      line(stepId, isDone ? style.green(`✓ ${words}`) : style.red(`✗ ${words}`));
    },
    end: () => {
      releaseAll(true);
      return writer.end();
    },
  };
};

/** Writes pieces in the order in which they are given; text that does not follow its own step's line gets a label. */
const pieceWriter = (io: Io, target: Writable) => {
  let last = "";
  let textStep = "";
  let text = "";
  let isOpen = false;
  const endLine = (): void => {
    if (isOpen) target.write("\n");
    isOpen = false;
  };
  const line = (stepId: string, words: string): void => {
    endLine();
    io.stderr.write(`${words}\n`);
    last = stepId;
  };
  return {
    write: ({ kind, stepId, words }: Piece, label: string): void => {
      if (kind === "line") {
        // A next attempt's text is another one.
        if (stepId === textStep) textStep = "";
        line(stepId, words);
        return;
      }
      if (last !== stepId) line(stepId, label);
      text = stepId === textStep ? text + words : words;
      textStep = stepId;
      target.write(printableText(words));
      isOpen = !words.endsWith("\n");
    },
    /** Ends an open line; returns the text of the last step that printed some. */
    end: (): string => {
      endLine();
      return text;
    },
  };
};

const formatTime = (time: number): string => new Date(time).toISOString();

const formatAttempt = (attempt: number): string => (attempt > 1 ? `, attempt ${attempt}` : "");
