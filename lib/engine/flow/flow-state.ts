import { maxValueBytes } from "../../expression/evaluation-budget.ts";
import type { Scope } from "../../expression/evaluation-scope.ts";
import { createSizeBook, type SizeBook } from "../../expression/size-book.ts";
import type { Json } from "../../json/json.ts";
import type { FlowOptions } from "./flow-result.ts";
import { StepError } from "./step-error.ts";

/** Outputs of items that count while their ForEach has not ended. */
export type Hold = { add(output: Json): void; release(): void };

/** What expressions see, growing step by step, with the bytes of all outputs. */
export type FlowState = {
  readonly scope: Scope;
  readonly book: SizeBook;
  /** Adds a step's output; a StepError when all outputs together are too large. */
  add(stepId: string, output: Json): void;
  hold(): Hold;
  /** What a step sees that runs for one item, its output going to the hold. */
  forItem(seen: { readonly item: Json; readonly index: number }, hold: Hold): FlowState;
};

const defaultMaxStateBytes = 8 * 1024 * 1024;

/** The state of a flow that starts. */
export function createFlowState(options: FlowOptions): FlowState {
  const maxBytes = options.limits?.maxStateBytes ?? defaultMaxStateBytes;
  const book = createSizeBook(maxValueBytes);
  const steps: Record<string, { output: Json }> = Object.create(null);
  const { id, agentId, agentRevision, startTime } = options.execution;
  const given = {
    input: options.input,
    parameters: options.parameters,
    trigger: { ...options.trigger },
    execution: { id, agentId, agentRevision, startTime },
  };
  const scope = { ...given, steps };
  const base = Object.values(given).reduce((sum, value) => sum + book.adopt(value).bytes, 100);
  let bytes = 0;
  let height = 0;

  // Sizes of what grows are kept by hand: looking at all outputs for each step would be quadratic.
  function grow(): void {
    book.setContainer(steps, { bytes, height: height + 2 });
    book.setContainer(scope, { bytes: base + bytes, height: height + 3 });
  }
  grow();

  let held = 0;
  function sizeOf(output: Json) {
    const size = measure(book, output, maxBytes);
    if (bytes + held + size.bytes > maxBytes) throw tooLarge(maxBytes);
    return size;
  }

  function hold(): Hold {
    let own = 0;
    return {
      add(output) {
        const size = sizeOf(output);
        own += size.bytes;
        held += size.bytes;
      },
      release() {
        held -= own;
        own = 0;
      },
    };
  }

  const stateOf = (seen: Scope, add: FlowState["add"]): FlowState => ({
    scope: seen,
    book,
    add,
    hold,
    forItem: (more, to) => stateOf({ ...seen, ...more }, (_stepId, output) => to.add(output)),
  });

  return stateOf(scope, (stepId, output) => {
    const size = sizeOf(output);
    bytes += size.bytes;
    height = Math.max(height, size.height);
    const wrapped = { output };
    steps[stepId] = wrapped;
    book.setContainer(wrapped, { bytes: size.bytes + 12, height: size.height + 1 });
    grow();
  });
}

function measure(book: SizeBook, output: Json, maxBytes: number) {
  try {
    return book.adopt(output);
  } catch (cause) {
    throw tooLarge(maxBytes, cause);
  }
}

function tooLarge(maxBytes: number, cause?: unknown): StepError {
  const detail = `The outputs of the flow's steps are larger than ${maxBytes} bytes of JSON together, or nested too deeply.`;
  return new StepError("execution-failed", detail, { cause });
}
