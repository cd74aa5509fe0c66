import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parsePayload } from "../../vendors/shared/webhook/parse-payload.ts";
import { keepBody, readKeptBody } from "./kept-body.ts";

const contentType = fc.constantFrom(
  undefined,
  "application/json",
  "application/x-www-form-urlencoded",
  "text/plain; charset=utf-8",
  "image/png",
);
const body = fc.oneof(
  fc.uint8Array(),
  fc.string({ unit: "grapheme" }).map((text) => Buffer.from(text)),
  fc.json().map((text) => Buffer.from(text)),
  fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value, null, 2))),
  fc
    .constantFrom(
      '{"base64":"aGk="}',
      '{"base64":"aGk"}',
      '"text"',
      '{"a":1.0}',
      '{"a":1,"a":2}',
      '{"__proto__":1}',
      "\ufeff{}",
      "a=1&b=%20",
    )
    .map((text) => Buffer.from(text)),
);

test("every body is kept with its bytes and its payload, whatever its content type", async () => {
  await fc.assert(
    fc.property(contentType, body, (type, bytes) => {
      const payload = parsePayload(type, bytes);
      const { keptAs, value } = keepBody(payload, bytes);
      const read = readKeptBody(JSON.parse(JSON.stringify(value)), keptAs, type);
      expect(Buffer.from(bytes).equals(read.body ?? Buffer.alloc(0))).toBe(true);
      expect(read.payload).toEqual(JSON.parse(JSON.stringify(payload)));
    }),
  );
});

test("compact JSON is kept as its payload, at no further cost", () => {
  const bytes = Buffer.from('{"n":7,"text":"Grüße"}');
  expect(keepBody(parsePayload("application/json", bytes), bytes).keptAs).toBe("payload");
});
