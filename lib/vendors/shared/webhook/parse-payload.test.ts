import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePayload } from "./parse-payload.ts";

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const parse = (contentType: string | undefined, text: string) =>
  parsePayload(contentType, Buffer.from(text));
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("JSON", () => {
  test("is its value, whatever the type's case, suffix or parameters", () => {
    for (const type of [json, "Application/JSON; charset=utf-8", "application/cloudevents+json"]) {
      expect(parse(type, '{"a":[1,null]}')).toEqual({ a: [1, null] });
    }
    expect(parse(json, "null")).toBeNull();
    expect(parse(json, "0")).toBe(0);
  });

  test("is its value when the content type was sent twice", () => {
    expect(parse(`${json}, ${json}`, "[1]")).toEqual([1]);
    expect(parse(`${json}; charset=utf-8,text/plain`, "[1]")).toEqual([1]);
  });

  test("that is broken, empty or deeper than 100 is the text that it is", {
    tags: "nightly",
  }, () => {
    for (const text of ["", "{", "{'a':1}", "{}{}", nested(101), nested(500_000)]) {
      expect(parse(json, text)).toBe(text);
    }
    expect(parse(json, nested(100))).toEqual(JSON.parse(nested(100)));
  });

  test("without a content type is recognised by how it begins", () => {
    expect(parse(undefined, ' {"a":1}')).toEqual({ a: 1 });
    expect(parse(undefined, "{a")).toBe("{a");
    expect(parse(undefined, "7")).toBe("7");
    expect(parse("text/plain", '{"a":1}')).toBe('{"a":1}');
  });

  test("cannot become a prototype, at any depth and however it is written", () => {
    const text = String.raw`{"__proto__":{"x":1},"a":[{"__prot\u006f__":{"x":1},"b":2}]}`;
    const value = parse(json, text);
    expect(JSON.stringify(value)).toBe('{"a":[{"b":2}]}');
    expect(Object.assign({}, value)).not.toHaveProperty("x");
  });
});

describe("a form", () => {
  test("is an object of its fields, with a list for a repeated name", () => {
    expect(parse(form, "a=1&b=x+y&b=%C3%A9&c")).toEqual({ a: "1", b: ["x y", "é"], c: "" });
    expect(parse(form, "__proto__=1&constructor=2")).toEqual({ constructor: "2" });
    expect(parse(form, "")).toEqual({});
  });

  test("with a JSON object or list in its payload field is that value", () => {
    const wrapped = (text: string) => `payload=${encodeURIComponent(text)}`;
    expect(parse(form, wrapped('{"type":"block_actions"}'))).toEqual({ type: "block_actions" });
    expect(parse(form, `${wrapped("[1]")}&x=1`)).toEqual([1]);
    for (const text of ["7", "{", nested(101)]) {
      expect(parse(form, wrapped(text))).toEqual({ payload: text });
    }
    expect(parse(form, "payload=[1]&payload=[2]")).toEqual({ payload: ["[1]", "[2]"] });
  });
});

describe("anything else", () => {
  test("is a string if it is UTF-8 text", () => {
    for (const type of ["text/plain", "text/csv; charset=utf-8", "application/xml", "a/b+xml"]) {
      expect(parse(type, "<a>é</a>")).toBe("<a>é</a>");
    }
  });

  test("is base64 if it is not UTF-8, whatever its content type", () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    for (const type of [undefined, json, form, "text/plain", "image/png", "multipart/form-data"]) {
      expect(parsePayload(type, bytes)).toEqual({ base64: "//4AgA==" });
    }
    expect(parse("application/octet-stream", "abc")).toEqual({ base64: "YWJj" });
  });
});

test("JSON is parsed as by JSON.parse, and any bytes are accepted", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const value: unknown = JSON.parse(text);
      if (!text.includes("__proto__")) expect(parse(json, text)).toEqual(value);
    }),
  );
  const types = [undefined, "", json, form, "text/plain", "image/png", ";", "/", "json"];
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.uint8Array(), (type, bytes) => {
      const value = parsePayload(type, bytes);
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    }),
  );
});
