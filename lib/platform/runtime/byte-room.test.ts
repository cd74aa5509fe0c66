import { describe, expect, test } from "vitest";
import { createByteRoom } from "./byte-room.ts";

const never = new AbortController().signal;

/** Lets all work that can continue do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Uses a place until `end` is called. */
const occupy = (place: ReturnType<ReturnType<typeof createByteRoom>["open"]>, signal = never) => {
  const over = Promise.withResolvers<void>();
  const state = { isIn: false, end: over.resolve, used: Promise.resolve() };
  state.used = place.use(signal, async () => {
    state.isIn = true;
    await over.promise;
  });
  return state;
};

describe("a room for bytes", () => {
  test("never has more content in use than fits, and lets work in by its order", async () => {
    const room = createByteRoom(10);
    const works = [6, 4, 3, 1].map((bytes) => occupy(room.open(bytes, () => undefined)));
    const shown = () => works.map(({ isIn }) => isIn);
    await settle();
    expect(shown()).toEqual([true, true, false, false]);
    works[1]?.end();
    await settle();
    expect(shown()).toEqual([true, true, true, true]);
    for (const work of works) work.end();
    await Promise.all(works.map(({ used }) => used));
  });

  test("keeps content between two uses, until other work needs its room", async () => {
    const room = createByteRoom(10);
    const dropped: string[] = [];
    const first = room.open(6, () => dropped.push("first"));
    const second = room.open(3, () => dropped.push("second"));
    const work = async () => undefined;
    await first.use(never, work);
    await second.use(never, work);
    await first.use(never, work);
    expect(dropped).toEqual([]);
    await room.open(7, () => undefined).use(never, work);
    expect(dropped).toEqual(["second", "first"]);
  });

  test("has room for nested work while the outer one does not use its content", async () => {
    const room = createByteRoom(10);
    const outer = room.open(10, () => undefined);
    await outer.use(never, async () => undefined);
    await room.open(10, () => undefined).use(never, async () => undefined);
    await outer.use(never, async () => undefined);
    expect.assertions(0);
  });

  test("is free again after work that fails, and after a close", async () => {
    const room = createByteRoom(10);
    const failing = room.open(10, () => undefined);
    const failed = failing.use(never, async () => {
      throw new Error("failed");
    });
    await expect(failed).rejects.toThrow("failed");
    failing.close();
    failing.close();
    const dropped: string[] = [];
    const kept = room.open(10, () => dropped.push("kept"));
    await kept.use(never, async () => undefined);
    kept.close();
    await room.open(10, () => undefined).use(never, async () => undefined);
    expect(dropped).toEqual([]);
  });

  test("is not waited for longer than a signal allows, and the next in line enters", async () => {
    const room = createByteRoom(10);
    const holder = occupy(room.open(6, () => undefined));
    const stop = new AbortController();
    const large = occupy(
      room.open(8, () => undefined),
      stop.signal,
    );
    const small = occupy(room.open(4, () => undefined));
    await settle();
    expect([holder, large, small].map(({ isIn }) => isIn)).toEqual([true, false, false]);
    stop.abort(new Error("too late"));
    await expect(large.used).rejects.toThrow("too late");
    await settle();
    expect([large, small].map(({ isIn }) => isIn)).toEqual([false, true]);
    await expect(
      occupy(
        room.open(1, () => undefined),
        stop.signal,
      ).used,
    ).rejects.toThrow("too late");
  });

  test("takes content that is larger than itself alone", async () => {
    const room = createByteRoom(10);
    const large = occupy(room.open(11, () => undefined));
    const small = occupy(room.open(1, () => undefined));
    await settle();
    expect([large.isIn, small.isIn]).toEqual([true, false]);
    large.end();
    await settle();
    expect(small.isIn).toBe(true);
  });
});
