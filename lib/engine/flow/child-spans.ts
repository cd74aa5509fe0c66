import type { Cost, TokenCounts } from "../models/model.ts";
import { addCosts, addTokens } from "../models/sums.ts";
import { withResponse } from "../tools/failing-response.ts";
import { describeFailure } from "./describe-failure.ts";
import type { Span } from "./flow-result.ts";
import type { Run } from "./run.ts";
import type { ChildEnd, ChildStart, OpenChild, Used } from "./step-context.ts";
import { modelCallType } from "./sum-usage.ts";

/** The step and the attempt that spans belong to. */
type Above = { readonly stepId: string; readonly spanId: string; readonly index?: number };

/** Tokens and cost of an attempt's model calls; null without calls. */
type Sum = Pick<Span, "usage" | "cost" | "priced">;

/** The spans below one attempt at a step. */
export class ChildSpans {
  readonly #run: Run;
  readonly #above: Above;
  readonly #own: Span[] = [];
  readonly #adopted: Span[] = [];
  #isOver = false;
  /** Open spans by index. */
  readonly #whenCut = new Map<number, () => Promise<Used>>();

  /** @param earlier those that the attempt had before it was suspended */
  constructor(run: Run, above: Above, earlier: readonly Span[] = []) {
    this.#run = run;
    this.#above = above;
    this.#own.push(...earlier);
  }

  /** Opens a span; until it is closed, it counts as cancelled. */
  openSpan(start: ChildStart, whenCut?: () => Promise<Used>): OpenChild {
    const { stepId, spanId, index } = this.#above;
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
      ...(index !== undefined && { index }),
      ...(start.type === "Tool" && { tool: start.name }),
    };
    this.#own.push(open);
    if (whenCut) this.#whenCut.set(place, whenCut);
    return this.#hold(open, place);
  }

  /** Continues a span that was open when the attempt was suspended. */
  reopenSpan(id: string): OpenChild {
    const place = this.#own.findIndex((span) => span.id === id);
    const open = this.#own[place];
    if (!open) throw new Error(`there is no span ${id}`);
    return this.#hold(open, place);
  }

  #hold(open: Span, place: number): OpenChild {
    const { stepId } = this.#above;
    const { clock } = this.#run.options.deps;
    const close = ({ error, ...end }: ChildEnd) => {
      if (this.#isOver) return;
      this.#whenCut.delete(place);
      const described = error === undefined ? null : describeFailure(error, stepId);
      const failure = described && { ...described, detail: withResponse(described.detail, error) };
      const status = failure ? "Failed" : "Succeeded";
      const ended = { ...open, ...end, error: failure, status, endTime: clock() } as const;
      this.#own[place] = this.#run.ledger.trace.fit(ended);
      this.#run.ledger.spent += end.cost?.totalCost ?? 0;
    };
    return { id: open.id, close };
  }

  /** Returns the spans to suspend, open ones as they are. */
  suspend(): readonly Span[] {
    this.#isOver = true;
    return this.#own;
  }

  /** Adds the spans of unfinished items. */
  adopt(spans: readonly Span[]): void {
    this.#adopted.push(...spans);
  }

  /** Counts the usage of calls that are still open when the attempt ends. */
  async countCut(): Promise<void> {
    const cut = [...this.#whenCut];
    this.#whenCut.clear();
    await Promise.all(
      cut.map(async ([place, whenCut]) => {
        const open = this.#own[place];
        // Unreadable prices fail the calls that need them; the attempt has already ended here.
        const used = await whenCut().catch(() => undefined);
        if (!open || !used || this.#own[place] !== open) return;
        this.#own[place] = { ...open, ...used };
        this.#run.ledger.spent += used.cost.totalCost;
      }),
    );
  }

  /** Returns all spans once the attempt has ended; open ones end with it. */
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

/** Members of a span without results. */
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

/** Removes from a span what its step received, returned and found. `detail`: of its error. */
export const hideContent = ({ citations: _citations, ...span }: Span, detail: string): Span =>
  span.type === "Guardrail"
    ? span
    : { ...span, input: null, output: null, error: span.error && { ...span.error, detail } };
