import { describe, expect, test } from "vitest";
import { createRoom } from "./open-waits.ts";

/** A room of two places, of which `one` has one, and the names that have got a place later. */
const createTestRoom = () => {
  const room = createRoom(2, ["one"]);
  const later: string[] = [];
  const enter = (name: string): boolean => {
    const left = room.enter(name);
    void left?.then(() => later.push(name));
    return left === undefined;
  };
  const leave = async (name: string): Promise<string[]> => {
    room.leave(name);
    await Promise.resolve();
    return later;
  };
  return { enter, leave };
};

describe("a room", () => {
  test("has one place for a name, however often it enters", () => {
    const { enter } = createTestRoom();
    expect(["one", "two", "two", "one", "three"].map(enter)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  test("gives a place that is left to the next name, in their order, once", async () => {
    const { enter, leave } = createTestRoom();
    expect(["two", "three", "four", "five"].map(enter)).toEqual([true, false, false, false]);
    expect(await leave("two")).toEqual(["three"]);
    expect(enter("six")).toBe(false);
    expect(await leave("three")).toEqual(["three", "four"]);
    expect(await leave("one")).toEqual(["three", "four", "five"]);
    expect(await leave("four")).toEqual(["three", "four", "five", "six"]);
    await leave("five");
    expect(["seven", "eight"].map(enter)).toEqual([true, false]);
  });

  test("gives none to a name that has stopped waiting, nor for one that had none", async () => {
    const { enter, leave } = createTestRoom();
    expect(["two", "three", "four"].map(enter)).toEqual([true, false, false]);
    expect(await leave("unknown")).toEqual([]);
    expect(await leave("three")).toEqual([]);
    expect(await leave("one")).toEqual(["four"]);
  });
});
