import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { eventStream } from "./event-stream.ts";

/** A stream of events to a caller who reads only what `read` takes. */
const open = () => {
  const unread: (() => void)[] = [];
  const response = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => void unread.push(done),
  });
  const events = eventStream(
    () => response,
    () => ({}),
  );
  return { events, response, read: () => unread.shift()?.() };
};

const never = new AbortController().signal;

test("a stream waits until its caller has read what was sent, for all who wait", async () => {
  const { events, read } = open();
  expect(await events.drain(never)).toBe(true);
  events.send("one", {});
  events.send("two", {});
  const order: string[] = [];
  const waits = Array.from({ length: 20 }, async () => {
    await events.drain(never);
    order.push("drained");
  });
  read();
  await Promise.resolve();
  order.push("read");
  read();
  await Promise.all(waits);
  expect(order).toEqual(["read", ...waits.map(() => "drained")]);
  expect(await events.drain(never)).toBe(true);
  events.end();
});

test("a stream does not wait for a caller who has left", async () => {
  const { events, response } = open();
  events.send("one", {});
  const waiting = events.drain(never);
  response.destroy(new Error("The connection was reset."));
  expect(await waiting).toBe(true);
  expect(events.hasLeft()).toBe(true);
  events.end();
});

test("a stream waits for a slow caller until the signal is aborted", async () => {
  const { events } = open();
  events.send("one", {});
  const over = new AbortController();
  const waiting = events.drain(over.signal);
  over.abort();
  expect(await waiting).toBe(false);
  expect(await events.drain(over.signal)).toBe(false);
  events.end();
});
