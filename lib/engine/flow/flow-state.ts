import { maxValueBytes } from "../../values/expression/evaluation-budget.ts";
import type { Scope } from "../../values/expression/evaluation-scope.ts";
import { createSizeCache, type SizeCache } from "../../values/expression/size-cache.ts";
import type { Json } from "../../values/json/json.ts";
import { StepError } from "../step-error.ts";
import type { FlowOptions } from "./flow-result.ts";

/** Outputs of a running ForEach's items, which count towards the limit. */
export type Hold = { add(output: Json): void; release(): void };

/** The scope of expressions, which grows step by step, and the size of all outputs. */
export type FlowState = {
  readonly scope: Scope;
  readonly sizes: SizeCache;
  /** Adds a step's output. Throws a StepError when all outputs together are too large. */
  add(stepId: string, output: Json): void;
  hold(): Hold;
  /** Creates the state of a step that runs for one item; its output counts in `hold`. */
  forItem(seen: { readonly item: Json; readonly index: number }, hold: Hold): FlowState;
};

const defaultMaxStateBytes = 8 * 1024 * 1024;

/** Creates the state of a new run. */
export const createFlowState = (options: FlowOptions): FlowState => {
  const maxBytes = options.limits?.maxStateBytes ?? defaultMaxStateBytes;
  const sizes = createSizeCache(maxValueBytes);
  const steps: Record<string, { output: Json }> = Object.create(null);
  const { id, agentId, agentRevision, startTime } = options.execution;
  const given = {
    input: options.input,
    parameters: options.parameters,
    trigger: { ...options.trigger },
    execution: { id, agentId, agentRevision, startTime },
    ...(options.callbacks && { callbacks: { ...options.callbacks } }),
  };
  const scope = { ...given, steps };
  const base = Object.values(given).reduce((sum, value) => sum + sizes.adopt(value).bytes, 100);
  let bytes = 0;
  let height = 0;

  // Sizes are maintained incrementally: measuring all outputs for each step would be quadratic.
  const grow = (): void => {
    sizes.setContainer(steps, { bytes, height: height + 2 });
    sizes.setContainer(scope, { bytes: base + bytes, height: height + 3 });
  };
  grow();

  let held = 0;
  const measureOutput = (output: Json) => {
    const size = measure(sizes, output, maxBytes);
    if (bytes + held + size.bytes > maxBytes) throw tooLarge(maxBytes);
    return size;
  };

  const hold = (): Hold => {
    let own = 0;
    return {
      add(output) {
        const size = measureOutput(output);
        own += size.bytes;
        held += size.bytes;
      },
      release() {
        held -= own;
        own = 0;
      },
    };
  };

  const createState = (seen: Scope, add: FlowState["add"]): FlowState => ({
    scope: seen,
    sizes,
    add,
    hold,
    forItem: (more, to) => createState({ ...seen, ...more }, (_stepId, output) => to.add(output)),
  });

  return createState(scope, (stepId, output) => {
    const size = measureOutput(output);
    bytes += size.bytes;
    height = Math.max(height, size.height);
    const wrapped = { output };
    steps[stepId] = wrapped;
    sizes.setContainer(wrapped, { bytes: size.bytes + 12, height: size.height + 1 });
    grow();
  });
};

const measure = (sizes: SizeCache, output: Json, maxBytes: number) => {
  try {
    return sizes.adopt(output);
  } catch (cause) {
    throw tooLarge(maxBytes, cause);
  }
};

const tooLarge = (maxBytes: number, cause?: unknown): StepError => {
  const detail = `The outputs of the flow's steps are larger than ${maxBytes} bytes of JSON together, or nested too deeply.`;
  return new StepError("execution-failed", detail, { cause });
};
