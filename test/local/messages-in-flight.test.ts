import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { returnMessagesInFlight } from "../../infra/local/storage/messages-in-flight.ts";

const openQueue = () => {
  const database = new DatabaseSync(":memory:");
  database.exec(`CREATE TABLE sqs_messages (message_id TEXT PRIMARY KEY, approximate_receive_count INTEGER,
    receipt_handle TEXT, visibility_deadline INTEGER)`);
  const receive = (id: string, receipt: string) =>
    database
      .prepare(`INSERT INTO sqs_messages VALUES (?, 1, ?, 9) ON CONFLICT DO UPDATE SET
        approximate_receive_count = approximate_receive_count + 1, receipt_handle = excluded.receipt_handle,
        visibility_deadline = 9`)
      .run(id, receipt);
  const read = (id: string) =>
    database
      .prepare(`SELECT approximate_receive_count AS count, receipt_handle AS receipt,
        visibility_deadline AS deadline FROM sqs_messages WHERE message_id = ?`)
      .get(id);
  return { database, receive, read, restart: () => returnMessagesInFlight(database) };
};

test("a receive that a kill cut off does not count; one that ended does, and keeps its visibility timeout", () => {
  const { receive, read, restart } = openQueue();
  const settle = restart();
  receive("working", "r-1");
  receive("failed", "r-2");
  settle(["r-2"]);
  restart();
  expect(read("working")).toEqual({ count: 0, receipt: null, deadline: null });
  expect(read("failed")).toEqual({ count: 1, receipt: "r-2", deadline: 9 });
  receive("failed", "r-3");
  restart();
  expect(read("failed")).toEqual({ count: 1, receipt: null, deadline: null });
});

test("receives of a message that was in flight at 50 kills count again", () => {
  const { receive, read, restart } = openQueue();
  restart();
  for (let kill = 1; kill <= 50; kill += 1) {
    receive("poison", `r-${kill}`);
    restart();
  }
  expect(read("poison")).toMatchObject({ count: 0 });
  receive("poison", "r-51");
  restart();
  expect(read("poison")).toMatchObject({ count: 1, receipt: null });
});
