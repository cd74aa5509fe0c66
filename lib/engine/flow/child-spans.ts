import type { Cost, TokenCounts } from "../models/model.ts";
import { addCosts, addTokens } from "../models/sums.ts";
import { describeFailure } from "./describe-failure.ts";
import type { Span } from "./flow-result.ts";
import type { Run } from "./run.ts";
import type { ChildEnd, ChildStart, OpenChild, Used } from "./step-context.ts";
import { modelCallType } from "./sum-usage.ts";

/** The step and the attempt that spans are below. */
type Above = { readonly stepId: string; readonly spanId: string };

/** What the calls of models in an attempt used and cost; null when there was none. */
type Sum = Pick<Span, "usage" | "cost" | "priced">;

/** The spans below one attempt at a step. */
export class ChildSpans {
  readonly #run: Run;
  readonly #above: Above;
  readonly #own: Span[] = [];
  readonly #adopted: Span[] = [];
  #isOver = false;
  /** By the places of spans that are open. */
  readonly #whenCut = new Map<number, () => Promise<Used>>();

  constructor(run: Run, above: Above) {
    this.#run = run;
    this.#above = above;
  }

  /** Begins a span; until it is closed it counts as cancelled. */
  begin(start: ChildStart, whenCut?: () => Promise<Used>): OpenChild {
    const { stepId, spanId } = this.#above;
    const { clock } = this.#run.options.deps;
    const time = clock();
    const place = this.#own.length;
    const open: Span = {
      ...emptySpan,
      ...start,
      id: `${spanId}/${place + 1}`,
      parentId: spanId,
      stepId,
      startTime: time,
      endTime: time,
      status: "Cancelled",
    };
    this.#own.push(open);
    if (whenCut) this.#whenCut.set(place, whenCut);
    const close = ({ error, ...end }: ChildEnd) => {
      if (this.#isOver) return;
      this.#whenCut.delete(place);
      const failure = error === undefined ? null : describeFailure(error, stepId);
      const status = failure ? "Failed" : "Succeeded";
      const ended = { ...open, ...end, error: failure, status, endTime: clock() } as const;
      this.#own[place] = this.#run.ledger.trace.fit(ended);
      this.#run.ledger.spent += end.cost?.totalCost ?? 0;
    };
    return { id: open.id, close };
  }

  /** Takes over spans of items that came to no end. */
  adopt(spans: readonly Span[]): void {
    this.#adopted.push(...spans);
  }

  /** Counts what was used by what is still going on when the attempt is over. */
  async countCut(): Promise<void> {
    const cut = [...this.#whenCut];
    this.#whenCut.clear();
    await Promise.all(
      cut.map(async ([place, whenCut]) => {
        const open = this.#own[place];
        // Prices that can't be read fail the calls that need them; here nobody is left to be told.
        const used = await whenCut().catch(() => undefined);
        if (!open || !used || this.#own[place] !== open) return;
        this.#own[place] = { ...open, ...used };
        this.#run.ledger.spent += used.cost.totalCost;
      }),
    );
  }

  /** All spans, once the attempt is over; what was still going on ended with it. */
  end(endTime: number): readonly Span[] {
    this.#isOver = true;
    const own = this.#own.map((span) =>
      span.status === "Cancelled" ? this.#run.ledger.trace.fit({ ...span, endTime }) : span,
    );
    return [...own, ...this.#adopted];
  }

  sum(): Sum {
    let usage: TokenCounts | null = null;
    let cost: Cost | null = null;
    let priced: boolean | null = null;
    for (const span of this.#own) {
      if (span.type !== modelCallType || !span.usage) continue;
      usage = usage ? addTokens(usage, span.usage) : span.usage;
      if (span.cost) cost = cost ? addCosts(cost, span.cost) : span.cost;
      priced = priced !== false && span.priced !== false;
    }
    return { usage, cost, priced };
  }
}

/** What a span holds in which nothing has happened. */
export const emptySpan = {
  input: null,
  output: null,
  error: null,
  usage: null,
  cost: null,
  priced: null,
  modelId: null,
  providerId: null,
} as const;
