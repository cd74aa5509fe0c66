import fc from "fast-check";
import { expect, test } from "vitest";
import { fromQueued, getInlineBytes, packValue, toQueued, unpackValue } from "./large-value.ts";

const none = {
  put: () => Promise.reject(new Error("no bucket")),
  get: () => Promise.reject(new Error("no bucket")),
  remove: () => Promise.reject(new Error("no bucket")),
};

test("every JSON value is read as it was packed, from its item and from a message, and has at most 5 bytes more", {
  tags: "nightly",
}, async () => {
  const values = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary", maxLength: 2_000 }));
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const json = JSON.stringify(value);
      const packed = await packValue(value, "", none);
      expect(getInlineBytes(packed).byteLength).toBeLessThanOrEqual(Buffer.byteLength(json) + 5);
      expect(await unpackValue(packed, none)).toEqual(JSON.parse(json));
      expect(await unpackValue(fromQueued(toQueued(packed)), none)).toEqual(JSON.parse(json));
    }),
    { numRuns: 200 },
  );
});
