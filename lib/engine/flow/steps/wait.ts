import * as z from "zod";
import { buildPointer, type Json } from "../../../values/json/json.ts";
import { StepError } from "../../step-error.ts";
import { defineStep } from "../step-type.ts";

/** The longest wait: a year. */
const maxSeconds = 31_536_000;

const seconds = z
  .union([z.number().min(1).max(maxSeconds), z.string().min(1)], {
    error: `must be a number from 1 to ${maxSeconds}, or an expression`,
  })
  .nullish();

/** Ends when its time has come; the execution is `Waiting` when nothing else of its flow can run. */
export const waitStep = defineStep({
  type: "Wait",
  shape: {
    seconds,
    until: z.string().min(1).nullish(),
  },
  waits: false,
  templated: () => ["seconds", "until"],
  check: ({ seconds, until }) =>
    (seconds ?? undefined) === undefined || (until ?? undefined) === undefined
      ? (seconds ?? until ?? undefined) === undefined
        ? [{ pointer: "", detail: 'must have "seconds" or "until"' }]
        : []
      : [{ pointer: buildPointer("until"), detail: 'must be absent where there is "seconds"' }],
  async run({ seconds, until: template }, { evaluate, clock, wait }) {
    const { at } = await wait(async () => {
      const now = clock();
      const until =
        template == null ? now + toMs(await evaluate(seconds)) : toTime(await evaluate(template));
      if (until > now + maxSeconds * 1_000) throw invalid(`"until" is more than a year away.`);
      return { kind: "Timer", until };
    });
    return { output: { waitedUntil: new Date(at).toISOString() } };
  },
});

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
