import { createContext, Script } from "node:vm";
import { LimitError } from "./expression-error.ts";

type Runner = { run(work: () => void, limitMs: number): void };

let runner: Runner | undefined;

function createRunner(): Runner {
  const sandbox: { work: () => void } = { work: () => {} };
  const context = createContext(sandbox);
  const script = new Script("work()");
  return {
    run(work, limitMs) {
      sandbox.work = work;
      script.runInContext(context, { timeout: Math.max(1, Math.ceil(limitMs)) });
      sandbox.work = () => {};
    },
  };
}

/** The error comes from the other context, so it is no instance of this one's Error. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    Reflect.get(error, "code") === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}

/**
 * Runs synchronous work that may take very long, such as a regular expression, and stops it
 * after `limitMs` with a LimitError. Costs about 0.15 ms.
 */
export function runLimited<Result>(work: () => Result, limitMs: number): Result {
  runner ??= createRunner();
  const finished: { result: Result }[] = [];
  try {
    runner.run(() => {
      finished.push({ result: work() });
    }, limitMs);
  } catch (error) {
    if (isTimeout(error)) throw new LimitError("takes longer than it may", { cause: error });
    throw error;
  }
  const [done] = finished;
  if (!done) throw new LimitError("takes longer than it may");
  return done.result;
}
