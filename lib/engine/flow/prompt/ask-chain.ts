import { endWaits } from "../../../platform/runtime/wait.ts";
import type { FileParts, GenerateResult } from "../../models/model.ts";
import { ModelFailure } from "../../models/model-failure.ts";
import { StepError } from "../../step-error.ts";
import { follow } from "../run-stop.ts";
import type { Estimate } from "../spend-guard.ts";
import type { StepContext } from "../step-context.ts";
import { callModel } from "./call-model.ts";
import type { ChosenModel, ModelChain } from "./choose-model.ts";
import { estimateCall, type Question } from "./estimate-call.ts";
import { FileRefusal, type PreparedFiles } from "./file-parts.ts";

/** One turn of a chain of models. */
export type ChainCall = {
  readonly question: Question;
  /** Position of the model that is called first: the one that responded before. */
  readonly start: number;
  /** Name of the calls' spans; default: the model. */
  readonly name?: string;
  /** Provides the files of the question's messages; absent for none. */
  readonly files?: PreparedFiles;
};

/** A response, and the position of the model that gave it. */
export type Served = { readonly result: GenerateResult; readonly position: number };

type Candidate = { readonly position: number; readonly load: () => Promise<ChosenModel> };

type Failed = { readonly label: string; readonly error: ModelFailure };

/** Models that were not called, and those that failed. */
type Tried = { readonly failed: readonly Failed[]; readonly refused: readonly string[] };

/**
 * Asks the models of a chain for one turn, one after another, within the budget. The next one is called after a failure
 * of `fallbackOn`, unless text was emitted. Models that rest after a failure are not called while others are left, nor are
 * fallbacks that do not take a file.
 */
export const askChain = async (
  chain: ModelChain,
  { question, start, name, files }: ChainCall,
  context: StepContext,
): Promise<Served> => {
  const refused: string[] = [];
  const all = await withoutRefusing(listCandidates(chain, start), files, refused);
  const candidates = all.length === 1 ? all : await withoutResting(all, context.clock());
  const failed: Failed[] = [];
  for (const [at, { position, load }] of candidates.entries()) {
    const left = candidates.slice(at);
    const isLast = left.length === 1;
    const emitted = { hasText: false };
    try {
      const chosen = await load();
      const ask = async (fileParts: FileParts | undefined) => {
        const release = await context.reserve(() => estimateMostExpensive(left, question));
        try {
          context.signal.throwIfAborted();
          return await callWatched(chosen, question, noteText(context, emitted), {
            ...(name !== undefined && { name }),
            fileParts,
            isImpatient: !isLast && chain.fallbackOn.includes("rate-limited"),
            silenceMs:
              isLast || !chain.fallbackOn.includes("timeout")
                ? undefined
                : context.remainingMs() / left.length,
          });
        } finally {
          release();
        }
      };
      const result = await (files ? files.provide(chosen, ask) : ask(undefined));
      return { result, position };
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (error instanceof FileRefusal && failed.length > 0) {
        refused.push(error.message);
        continue;
      }
      const isSwitched =
        error instanceof ModelFailure &&
        error.reason !== undefined &&
        chain.fallbackOn.includes(error.reason);
      if (!isSwitched || isLast || emitted.hasText) throw withEarlier(error, { failed, refused });
      const { providerId, model } = await load();
      failed.push({ label: `${providerId}/${model}`, error });
    }
  }
  const last = failed.pop();
  if (last) throw withEarlier(last.error, { failed, refused });
  throw new Error("a chain has no models");
};

/** Lists the models, first the one that responded before. */
const listCandidates = ({ first, fallbacks }: ModelChain, start: number): Candidate[] => {
  const all = [async () => first, ...fallbacks].map((load, position) => ({ position, load }));
  return [...all.slice(start, start + 1), ...all.filter(({ position }) => position !== start)];
};

/** Removes the fallbacks that are known not to take a file, and adds the reasons to `refused`. */
const withoutRefusing = async (
  candidates: readonly Candidate[],
  files: PreparedFiles | undefined,
  refused: string[],
): Promise<readonly Candidate[]> => {
  if (!files) return candidates;
  const able: Candidate[] = [];
  for (const candidate of candidates) {
    const chosen = candidate.position > 0 && (await candidate.load().catch(() => undefined));
    const refusal = chosen ? files.findRefusal(chosen) : undefined;
    if (refusal === undefined) able.push(candidate);
    else refused.push(refusal);
  }
  return able;
};

/** Removes the models that rest; when all do, leaves the one that rests the shortest time. */
const withoutResting = async (
  candidates: readonly Candidate[],
  now: number,
): Promise<readonly Candidate[]> => {
  let soonest: { candidate: Candidate; until: number } | undefined;
  for (const [at, candidate] of candidates.entries()) {
    const chosen = await candidate.load().catch(() => undefined);
    const until = chosen?.provider.restsUntil?.(chosen.model) ?? 0;
    if (until <= now) return candidates.slice(at);
    if (!soonest || until < soonest.until) soonest = { candidate, until };
  }
  return soonest ? [soonest.candidate] : candidates;
};

const noteText = (context: StepContext, emitted: { hasText: boolean }): StepContext => ({
  ...context,
  delta(text) {
    emitted.hasText = true;
    context.delta(text);
  },
});

/** Bounds a call by the most expensive of the models that may be called. One that does not exist costs nothing. */
const estimateMostExpensive = async (
  candidates: readonly Candidate[],
  question: Question,
): Promise<Estimate> => {
  const [first, ...others] = await Promise.all(
    candidates.map(async ({ load }, at) => {
      const chosen = at === 0 ? await load() : await load().catch(() => undefined);
      return chosen && estimateCall(chosen, question);
    }),
  );
  const estimates = [first, ...others].filter((estimate) => estimate !== undefined);
  const unpriced = estimates.find((estimate) => estimate.unpriced !== undefined)?.unpriced;
  return {
    dollars: Math.max(...estimates.map(({ dollars }) => dollars)),
    most: Math.max(...estimates.map(({ most }) => most)),
    ...(unpriced !== undefined && { unpriced }),
  };
};

type Watched = {
  readonly name?: string;
  readonly fileParts: FileParts | undefined;
  readonly isImpatient: boolean;
  /** Time without any part of the response after which the call is a failure, until text is emitted. */
  readonly silenceMs: number | undefined;
};

const callWatched = async (
  chosen: ChosenModel,
  question: Question,
  context: StepContext,
  { silenceMs, ...options }: Watched,
): Promise<GenerateResult> => {
  if (silenceMs === undefined) return callModel(chosen, question, context, options);
  const silence = watchSilence(chosen.providerId, silenceMs, context);
  const { signal, onProgress } = silence;
  const watched: StepContext = {
    ...context,
    delta(text) {
      silence.end();
      context.delta(text);
    },
  };
  try {
    return await callModel(chosen, question, watched, { ...options, signal, onProgress });
  } finally {
    silence.end();
    silence.release();
  }
};

/** Aborts a call once nothing has arrived for a time. */
const watchSilence = (upstream: string, silenceMs: number, context: StepContext) => {
  const { clock, sleep } = context;
  const call = new AbortController();
  const over = new AbortController();
  const release = follow(context.signal, call);
  let last = clock();
  const watch = async () => {
    for (;;) {
      const leftMs = last + silenceMs - clock();
      if (leftMs <= 0) break;
      await sleep(leftMs, over.signal);
      if (over.signal.aborted) return;
    }
    const seconds = Math.round(silenceMs / 1_000);
    const detail = `The model provider "${upstream}" sent nothing for ${seconds} s.`;
    const facts = { upstream, reason: "timeout", wasAccepted: true, timedOut: true } as const;
    call.abort(new ModelFailure(detail, facts));
  };
  void watch();
  return {
    signal: call.signal,
    onProgress: () => {
      last = clock();
    },
    end: () => endWaits(over),
    release,
  };
};

/** Adds the failures of earlier models to the last one. A retry can succeed as soon as one of them may be called. */
const withEarlier = (error: unknown, { failed, refused }: Tried): unknown => {
  if (failed.length === 0 && refused.length === 0) return error;
  const list = failed.map(({ label, error: { reason } }) => `${label} (${reason})`).join(", ");
  const before = failed.length > 0 ? [`Before, these models failed: ${list}.`] : [];
  const skipped = refused.length > 0 ? [`Other models were not called: ${refused.join(" ")}`] : [];
  const detail = (message: string) => [message, ...before, ...skipped].join(" ");
  if (error instanceof ModelFailure) {
    const { upstream, upstreamStatus, reason, retryAfterMs, wasAccepted, timedOut } = error;
    const delays = [retryAfterMs, ...failed.map((one) => one.error.retryAfterMs)];
    const facts = { upstream, upstreamStatus, reason, wasAccepted, timedOut };
    return new ModelFailure(
      detail(error.message),
      { ...facts, retryAfterMs: Math.min(...delays.map((delay) => delay ?? 0)) || undefined },
      { cause: error },
    );
  }
  if (!(error instanceof StepError)) return error;
  return new StepError(error.slug, detail(error.message), {
    ...(error.upstream !== undefined && { upstream: error.upstream }),
    cause: error,
  });
};
