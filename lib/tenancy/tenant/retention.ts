import * as z from "zod";

const dayMs = 86_400_000;
/** A number of days for which something is kept. */
export const RetentionDays = z.int().min(1).max(3_650);

/** The time for which a tenant's records are kept. */
export const Retention = z
  .object({
    executionDays: RetentionDays.default(400).meta({
      description: "Days for which an execution record is kept.",
      example: 400,
    }),
    traceDays: RetentionDays.default(30).meta({
      description:
        "Days for which the trace of an execution is kept, at most as long as its record.",
      example: 30,
    }),
    deliveryDays: RetentionDays.default(30).meta({
      description: "Days for which a webhook's delivery is kept.",
      example: 30,
    }),
  })
  .meta({ id: "Retention" });
export type Retention = z.output<typeof Retention>;

export const defaultRetention: Retention = Retention.parse({});

/** Returns the expiry of an item in Unix seconds, some days after a time in Unix milliseconds. */
export const computeTtl = (from: number, days: number): number =>
  Math.ceil((from + days * dayMs) / 1_000);

/** Returns whether an item has not expired. The table deletes expired items days later. */
export const isKept = ({ ttl }: { ttl?: number | undefined }, now: number): boolean =>
  ttl === undefined || ttl * 1_000 > now;
