import { maxEvaluationMs } from "./evaluation-budget.ts";
import { runLimited } from "./run-limited.ts";

const maxBatch = 256;

type Found = {
  readonly from: number;
  readonly match: RegExpExecArray | null;
  readonly to: number;
};

/** Matches ahead in growing batches, since each limited run costs far more than a match. */
function limitMatching(pattern: RegExp): void {
  const started = performance.now();
  const exec = RegExp.prototype.exec;
  let text: string | undefined;
  let found: Found[] = [];
  let batchSize = 1;

  function search(): Found[] {
    const batch: Found[] = [];
    for (let count = 0; count < batchSize && text !== undefined; count += 1) {
      const from = pattern.lastIndex;
      const match = exec.call(pattern, text);
      batch.push({ from, match, to: pattern.lastIndex });
      if (match === null || match[0] === "") break;
    }
    return batch;
  }

  Object.defineProperty(pattern, "exec", {
    value: (subject: string): RegExpExecArray | null => {
      if (subject !== text || found[0]?.from !== pattern.lastIndex) {
        batchSize = subject === text ? Math.min(batchSize * 2, maxBatch) : 1;
        text = subject;
        found = runLimited(search, maxEvaluationMs - (performance.now() - started));
      }
      const next = found.shift();
      pattern.lastIndex = next?.to ?? 0;
      return next?.match ?? null;
    },
  });
}

/** RegExp as expressions see it: matching that takes too long is stopped with a LimitError. */
export const LimitedRegExp = new Proxy(RegExp, {
  construct(_target, [source]) {
    const pattern = new RegExp(source instanceof RegExp ? source : String(source));
    limitMatching(pattern);
    return pattern;
  },
});
