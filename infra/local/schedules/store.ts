import { DatabaseSync } from "node:sqlite";
import * as z from "zod";

/** A stored schedule with its next due time. Times in Unix milliseconds. */
const StoredSchedule = z.object({
  groupName: z.string(),
  name: z.string(),
  expression: z.string(),
  timeZone: z.string(),
  /** The latest create or update request, as JSON. */
  definition: z.string(),
  /** Client token of the create request. */
  clientToken: z.string().nullable(),
  /** Null when disabled. */
  due: z.int().nullable(),
  /** Random; changes with each write. */
  version: z.int(),
});
export type StoredSchedule = z.output<typeof StoredSchedule>;

export type ScheduleKey = Pick<StoredSchedule, "groupName" | "name">;

/** A completed firing with the next due time; null without one. `isOver`: the schedule is removed. */
export type Fired = ScheduleKey & { version: number; due: number | null; isOver: boolean };

/** Stores schedules. */
export type ScheduleStore = {
  get: (key: ScheduleKey) => StoredSchedule | undefined;
  put: (schedule: Omit<StoredSchedule, "version">) => void;
  /** Returns false when the schedule does not exist. */
  remove: (key: ScheduleKey) => boolean;
  list: () => StoredSchedule[];
  /** Lists schedules due until a time, longest overdue first. */
  due: (until: number, most: number) => StoredSchedule[];
  /** Returns the earliest due time; undefined without one. */
  nextDue: () => number | undefined;
  /** Records firings; ignores those of schedules changed since they were read. */
  fired: (firings: readonly Fired[]) => void;
  close: () => void;
};

const columns =
  "group_name AS groupName, name, expression, time_zone AS timeZone, definition, client_token AS clientToken, due, version";

/** Opens a store in SQLite, indexed by due time. Writes survive a crash of the process. */
export const openScheduleStore = (file: string): ScheduleStore => {
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS schedules (
      group_name TEXT NOT NULL,
      name TEXT NOT NULL,
      expression TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      definition TEXT NOT NULL,
      client_token TEXT,
      due INTEGER,
      version INTEGER NOT NULL,
      PRIMARY KEY (group_name, name)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS schedules_by_due ON schedules (due) WHERE due IS NOT NULL;
  `);
  const get = database.prepare(
    `SELECT ${columns} FROM schedules WHERE group_name = ? AND name = ?`,
  );
  const put = database.prepare(`
    INSERT INTO schedules (group_name, name, expression, time_zone, definition, client_token, due, version)
    VALUES (?, ?, ?, ?, ?, ?, ?, random() / 4096)
    ON CONFLICT DO UPDATE SET expression = excluded.expression, time_zone = excluded.time_zone,
      definition = excluded.definition, due = excluded.due, version = excluded.version`);
  const remove = database.prepare("DELETE FROM schedules WHERE group_name = ? AND name = ?");
  const list = database.prepare(`SELECT ${columns} FROM schedules ORDER BY group_name, name`);
  const due = database.prepare(
    `SELECT ${columns} FROM schedules WHERE due <= ? ORDER BY due LIMIT ?`,
  );
  const nextDue = database.prepare("SELECT MIN(due) AS due FROM schedules WHERE due IS NOT NULL");
  const fired = database.prepare(
    "UPDATE schedules SET due = ? WHERE group_name = ? AND name = ? AND version = ?",
  );
  const removeFired = database.prepare(
    "DELETE FROM schedules WHERE group_name = ? AND name = ? AND version = ?",
  );
  const NextDue = z.object({ due: z.int().nullable() });
  return {
    get: ({ groupName, name }) => StoredSchedule.optional().parse(get.get(groupName, name)),
    put: (schedule) => {
      const { groupName, name, expression, timeZone, definition, clientToken } = schedule;
      put.run(groupName, name, expression, timeZone, definition, clientToken, schedule.due);
    },
    remove: ({ groupName, name }) => remove.run(groupName, name).changes > 0,
    list: () => StoredSchedule.array().parse(list.all()),
    due: (until, most) => StoredSchedule.array().parse(due.all(until, most)),
    nextDue: () => NextDue.parse(nextDue.get()).due ?? undefined,
    fired: (firings) => {
      database.exec("BEGIN");
      for (const { groupName, name, version, due, isOver } of firings) {
        if (isOver) removeFired.run(groupName, name, version);
        else fired.run(due, groupName, name, version);
      }
      database.exec("COMMIT");
    },
    close: () => database.close(),
  };
};
