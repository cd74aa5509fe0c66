import * as z from "zod";
import { buildPointer, type Json } from "../../../values/json/json.ts";
import { StepError } from "../../step-error.ts";
import { EventMember, toEventRequest } from "../event-wait.ts";
import { defineStep } from "../step-type.ts";
import type { WaitEnd } from "../waits.ts";

/** The longest wait: a year. */
const maxSeconds = 31_536_000;
/** Seconds of the shortest and the usual time for a callback or an event. */
const times = { min: 60, usual: 259_200 } as const;

const seconds = z
  .union([z.number().min(1).max(maxSeconds), z.string().min(1)], {
    error: `must be a number from 1 to ${maxSeconds}, or an expression`,
  })
  .nullish();

const callback = z.literal(true, { error: "must be true, or absent" }).nullish();

const timeLimit = z.int().min(times.min).max(maxSeconds).nullish();
const TimeoutAction = z.enum(["fail", "continue"]).nullish();

const kinds = ["seconds", "until", "event", "callback"] as const;

/**
 * Ends when its time has come, when an event of a webhook comes, or when a request reaches its address; the execution is
 * `Waiting` when nothing else of its flow can run.
 */
export const waitStep = defineStep({
  type: "Wait",
  shape: {
    seconds,
    until: z.string().min(1).nullish(),
    event: EventMember.nullish(),
    callback,
    timeoutSeconds: timeLimit,
    onTimeout: TimeoutAction,
  },
  waits: false,
  timeLimit,
  templated: ({ event }) => [
    "seconds",
    "until",
    ...(event?.match ? [{ pointer: buildPointer("event", "match"), value: event.match }] : []),
  ],
  // When nothing comes in time.
  canFail: ({ callback, event, onTimeout }) =>
    (callback === true || Boolean(event)) && onTimeout !== "continue",
  hasAddress: ({ callback }) => callback === true,
  check(step) {
    const [first, ...others] = kinds.filter((kind) => (step[kind] ?? undefined) !== undefined);
    if (first === undefined) {
      return [{ pointer: "", detail: 'must have "seconds", "until", "event" or "callback"' }];
    }
    const isTimer = first === "seconds" || first === "until";
    const limits = isTimer ? (["timeoutSeconds", "onTimeout"] as const) : [];
    const excess = limits.filter((name) => (step[name] ?? undefined) !== undefined);
    return [...others, ...excess].map((name) => ({
      pointer: buildPointer(name),
      detail: `must be absent where there is "${first}"`,
    }));
  },
  async run(step, { evaluate, select, clock, wait }) {
    const limit = () => clock() + (step.timeoutSeconds ?? times.usual) * 1_000;
    if (step.callback) {
      return toOutput(
        await wait(async () => ({ kind: "Callback", until: limit() })),
        step.onTimeout,
      );
    }
    const { event } = step;
    if (event) {
      const request = async () => ({
        kind: "Event" as const,
        until: limit(),
        event: await toEventRequest(event, select),
      });
      return toOutput(await wait(request), step.onTimeout);
    }
    const { at } = await wait(async () => {
      const now = clock();
      const until =
        step.until == null
          ? now + toMs(await evaluate(step.seconds))
          : toTime(await evaluate(step.until));
      if (until > now + maxSeconds * 1_000) throw invalid(`"until" is more than a year away.`);
      return { kind: "Timer", until };
    });
    return { output: { waitedUntil: new Date(at).toISOString() } };
  },
});

const toOutput = ({ answer }: WaitEnd, onTimeout: z.output<typeof TimeoutAction>) => {
  if (answer !== undefined) return { output: answer };
  if (onTimeout === "continue") return { output: null };
  throw new StepError("execution-failed", "Nothing that the step waits for came in time.");
};

const toMs = (value: Json): number => {
  const given = typeof value === "string" ? Number(value) : value;
  if (typeof given !== "number" || !(given >= 0 && given <= maxSeconds)) {
    throw invalid(`"seconds" must be a number from 0 to ${maxSeconds}.`);
  }
  return Math.ceil(given * 1_000);
};

const isoTime = z.iso.datetime({ offset: true });

const toTime = (value: Json): number => {
  if (!isoTime.safeParse(value).success) {
    throw invalid(`"until" must be a time such as "2030-01-31T09:00:00Z".`);
  }
  return Date.parse(String(value));
};

const invalid = (detail: string): StepError => new StepError("execution-failed", detail);
