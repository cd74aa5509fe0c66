import {
  type CalledModel,
  estimateCall,
  type Question,
} from "../../engine/flow/prompt/estimate-call.ts";
import type { SpendGuard } from "../../engine/flow/spend-guard.ts";
import { StepError } from "../../engine/step-error.ts";

/** A call that may be made; `release` replaces its bound by what its work has cost, US dollars. */
export type ReservedCall = { release: (spent: number) => void };

/**
 * Reserves a call of a model in the background, or returns why it is refused. Rejects when storage fails.
 * @param spent US dollars of the earlier calls of the same work
 */
export const reserveCall = async (
  guard: SpendGuard,
  called: CalledModel,
  question: Question,
  spent: number,
): Promise<ReservedCall | { refusal: string }> => {
  const { dollars: estimate, most, unpriced } = await estimateCall(called, question);
  let committed = spent + most;
  try {
    if (unpriced !== undefined) guard.checkUnpriced(unpriced);
    await guard.reserve({ spent, estimate, most: () => committed });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    committed = spent;
    return { refusal: error.message };
  }
  return {
    release: (cost) => {
      committed = cost;
    },
  };
};
