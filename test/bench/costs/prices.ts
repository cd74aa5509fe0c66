import { readFileSync } from "node:fs";
import * as z from "zod";
import { Counts } from "../count-unit.ts";

const Source = z.object({
  /** The vendor's own price page. */
  source: z.url(),
  /** The page on which the figure was read, since stored copies of the vendor's page lack its tables. */
  readAt: z.string(),
  /** Date of that page; null when it has none. */
  date: z.iso.date().nullable(),
});
export type Source = z.output<typeof Source>;

const Price = Source.extend({ usd: z.number(), per: z.number(), unit: z.string() });
export type Price = z.output<typeof Price>;

/** Names of the prices. */
export const priceNames = [
  "gatewayRequest",
  "invocation",
  "gigabyteSecond",
  "writeUnit",
  "readUnit",
  "queueRequest",
  "bucketWrite",
  "bucketRead",
  "logGigabyte",
  "schedule",
  "alarmMetric",
  "dashboard",
  "customMetric",
  "key",
  "keyRequest",
  "secret",
  "edgeRequest",
  "edgeGigabyteOut",
  "edgeGigabyteToOrigin",
  "edgeFunction",
  "webAcl",
  "webAclRule",
  "webAclRequest",
  "tableGigabyte",
  "bucketGigabyte",
  "logGigabyteKept",
  "vectorGigabyte",
  "vectorGigabyteWritten",
  "vectorQuery",
] as const;
export type PriceName = (typeof priceNames)[number];

const other = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object({ name: z.string(), ...Source.shape, ...shape });

const Others = z.object({
  langSmith: other({
    lcuUsd: z.number(),
    lsuUsd: z.number(),
    runtimeProcessorLcu: z.number(),
    runtimeGibibyteLcu: z.number(),
    databaseProcessorLsu: z.number(),
    databaseGibibyteLsu: z.number(),
    smallest: z.object({
      processors: z.number(),
      gibibytes: z.number(),
      databaseProcessors: z.number(),
      databaseGibibytes: z.number(),
    }),
    seatUsd: z.number(),
  }),
  dify: other({
    professionalUsdPerYear: z.number(),
    professionalTriggersPerMonth: z.number(),
    teamUsdPerYear: z.number(),
  }),
  n8n: other({
    plans: z.array(
      z.object({ name: z.string(), eurPerMonth: z.number(), executionsPerMonth: z.number() }),
    ),
  }),
  durable: other({
    operationUsdPerMillion: z.number(),
    writtenGigabyteUsd: z.number(),
    retainedGigabyteMonthUsd: z.number(),
  }),
});
export type Others = z.output<typeof Others>;

/** List prices, and assumptions about uncounted quantities. */
export const Prices = z.object({
  region: z.string(),
  prices: z.record(z.enum(priceNames), Price),
  assumptions: z.object({
    memoryMegabytes: z.number(),
    megabytesPerProcessor: z.number(),
    databaseCallMs: z.number(),
    queueCallMs: z.number(),
    bucketCallMs: z.number(),
    idleReceivesPerMonth: z.number(),
    /** Bytes in the table of an execution that waits for an approval. */
    waitingBytes: z.number(),
    /**
     * Seconds that an agent waits for its model; every row with a model is shown for all of them.
     */
    modelSeconds: z.array(z.number()),
  }),
  others: Others,
});
export type Prices = z.output<typeof Prices>;

const readJson = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

/** Reads the list prices. */
export const readPrices = (): Prices => Prices.parse(readJson("prices.json"));

/** Reads counts as `npm run bench -- --only calls --json FILE` writes them. */
export const readCounts = (): Counts =>
  z.object({ calls: Counts }).parse(readJson("counts.json")).calls;
