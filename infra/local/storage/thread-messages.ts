import type { SharedCounts } from "../access/call-counts.ts";
import type { PolicyStatement } from "../template/policies.ts";
import type { LocalScheduler } from "../template/scheduler.ts";
import type { LocalKey, LocalQueue } from "../template/storage.ts";

/** Configuration of the storage thread. */
export type StorageThreadData = {
  dataDirectory: string;
  queues: LocalQueue[];
  buckets: string[];
  vectorBuckets: string[];
  /** Directory of the vector indexes. */
  vectorDirectory: string;
  keys: LocalKey[];
  keyFile: string;
  /** Directory of sent mail. */
  outboxDirectory: string;
  scheduler: LocalScheduler;
  scheduleFile: string;
  /** Whether schedules fire when due; if not, only on request. */
  isClockRunning: boolean;
  /** Partition key attribute of every table and index, by ARN. */
  partitionKeys: Map<string, string>;
  /** Policy statements by caller. */
  statements: Map<string, PolicyStatement[]>;
  /** Base URL of the DynamoDB engine, such as `http://127.0.0.1:8000`. */
  dynamodbEndpoint: string;
  /** Calls that the functions make to the engine themselves. */
  sharedCounts: SharedCounts;
  /** Derives the callers' session tokens. */
  secret: string;
  jwks: unknown;
};

/** Messages from the storage thread. */
export type StorageThreadMessage =
  | { type: "listening"; port: number }
  | { type: "print"; line: string };

/** Messages to the storage thread. */
export type StorageThreadCommand =
  | { type: "configure"; data: StorageThreadData }
  | { type: "compact" }
  | { type: "close" };
