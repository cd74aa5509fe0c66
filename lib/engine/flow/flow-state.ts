import { maxValueBytes } from "../../values/expression/evaluation-budget.ts";
import type { Scope } from "../../values/expression/evaluation-scope.ts";
import { createSizeCache, type SizeCache } from "../../values/expression/size-cache.ts";
import type { Json, JsonObject } from "../../values/json/json.ts";
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
  /** Adds the failure of a step, which counts as its output does. */
  addError(stepId: string, error: JsonObject): void;
  hold(): Hold;
  /** Creates the state of a step that runs for one item; its output counts in `hold`. */
  forItem(seen: { readonly item: Json; readonly index: number }, hold: Hold): FlowState;
};

const defaultMaxStateBytes = 8 * 1024 * 1024;

/** Creates the state of a new run. */
export const createFlowState = (options: FlowOptions): FlowState => {
  const maxBytes = options.limits?.maxStateBytes ?? defaultMaxStateBytes;
  const sizes = createSizeCache(maxValueBytes);
  const steps: Record<string, { output?: Json; error?: JsonObject }> = Object.create(null);
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

  type Adding = Pick<FlowState, "add" | "addError">;
  const createState = (seen: Scope, adding: Adding): FlowState => ({
    scope: seen,
    sizes,
    ...adding,
    hold,
    forItem: (more, to) =>
      createState(
        { ...seen, ...more },
        { add: (_stepId, output) => to.add(output), addError: () => {} },
      ),
  });

  const addMember = (stepId: string, member: { output: Json } | { error: JsonObject }): void => {
    const [value = null] = Object.values(member);
    const size = measureOutput(value);
    bytes += size.bytes;
    height = Math.max(height, size.height);
    const wrapped = { ...steps[stepId], ...member };
    steps[stepId] = wrapped;
    const held = Object.values(wrapped).map((part) => sizes.adopt(part));
    sizes.setContainer(wrapped, {
      bytes: held.reduce((sum, part) => sum + part.bytes + 12, 0),
      height: Math.max(...held.map((part) => part.height)) + 1,
    });
    grow();
  };

  return createState(scope, {
    add: (stepId, output) => addMember(stepId, { output }),
    addError: (stepId, error) => addMember(stepId, { error }),
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
