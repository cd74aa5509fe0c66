import type { PolicyStatement } from "../template/policies.ts";
import type { LocalScheduler } from "../template/scheduler.ts";
import type { LocalKey, LocalQueue } from "../template/storage.ts";

/** What the storage thread works with. */
export type StorageThreadData = {
  dataDirectory: string;
  queues: LocalQueue[];
  buckets: string[];
  keys: LocalKey[];
  keyFile: string;
  /** Where mails go, as files. */
  outboxDirectory: string;
  scheduler: LocalScheduler;
  scheduleFile: string;
  /** Whether schedules fire when they are due; without it, only when they are told to. */
  isClockRunning: boolean;
  /** Partition key attribute of every table and index, by ARN. */
  partitionKeys: Map<string, string>;
  /** The policy statements of every function, by its name. */
  statements: Map<string, PolicyStatement[]>;
  /** Where DynamoDB answers, such as `http://127.0.0.1:8000`. */
  dynamodbEndpoint: string;
  /** Of this start: callers' session tokens are made from it. */
  secret: string;
  jwks: unknown;
};

/** What the storage thread says. */
export type StorageThreadMessage =
  | { type: "listening"; port: number }
  | { type: "tell"; line: string };

/** What the storage thread is told. */
export type StorageThreadOrder = { type: "configure"; data: StorageThreadData } | { type: "close" };
