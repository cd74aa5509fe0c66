import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFresh, readIsoMoment, readUnixSeconds } from "./freshness.ts";
import { hmacBase64, hmacHex, isEd25519, readBase64, readHex, sameText } from "./signatures.ts";

describe("comparison", () => {
  test("is true only for equal texts, at any lengths", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (given, expected) => {
        expect(sameText(given, expected)).toBe(given === expected);
        expect(sameText(given, given)).toBe(true);
        expect(sameText(`${given}x`, given)).toBe(false);
      }),
    );
    expect(sameText(undefined, "")).toBe(false);
    expect(sameText("é", "e\u0301")).toBe(false);
  });
});

describe("HMAC", () => {
  test("of parts is that of their bytes together", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.uint8Array(), (key, start, body) => {
        const digest = createHmac("sha256", key).update(start).update(body).digest();
        expect(hmacHex(key, start, body)).toBe(digest.toString("hex"));
        expect(hmacBase64(key, start, body)).toBe(digest.toString("base64"));
      }),
    );
  });
});

describe("encodings", () => {
  test("bytes are decoded only from their canonical text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        expect(readBase64(buffer.toString("base64"))).toEqual(buffer);
        expect(readBase64(buffer.toString("base64").replaceAll("=", ""))).toEqual(buffer);
        expect(readHex(buffer.toString("hex"))).toEqual(buffer);
      }),
    );
  });

  test("other texts are refused", () => {
    for (const text of ["AB", "A", "AA=A", "A A=", "AA\n==", "-_-_", "é"]) {
      expect([text, readBase64(text)]).toEqual([text, undefined]);
    }
    for (const text of ["", "a", "0g", "aa ", "é0"]) expect(readHex(text)).toBeUndefined();
  });
});

describe("Ed25519", () => {
  /** RFC 8032, 7.1, test 2. */
  const key = readHex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
  const signature = readHex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  );

  test("accepts the published signature, and none of another size or message", () => {
    expect(isEd25519(key, signature, Buffer.from([0x72]))).toBe(true);
    expect(isEd25519(key, signature, "s")).toBe(false);
    expect(isEd25519(key, signature?.subarray(1), "r")).toBe(false);
    expect(isEd25519(key?.subarray(1), signature, "r")).toBe(false);
    expect(isEd25519(undefined, signature, "r")).toBe(false);
    expect(isEd25519(key, undefined, "r")).toBe(false);
    expect(isEd25519(Buffer.alloc(32, 0xff), signature, "r")).toBe(false);
  });
});

describe("moments", () => {
  test("are fresh within the tolerance to both sides", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000), (away, tolerance) => {
        const isNear = away <= tolerance * 1_000;
        expect(isFresh(5_000_000 + away, 5_000_000, tolerance)).toBe(isNear);
        expect(isFresh(5_000_000 - away, 5_000_000, tolerance)).toBe(isNear);
      }),
    );
    expect(isFresh(undefined, 0)).toBe(false);
    expect(isFresh(Number.NaN, 0)).toBe(false);
  });

  test("are read of one form alone", () => {
    expect(readUnixSeconds("1614265330")).toBe(1_614_265_330_000);
    for (const text of [undefined, "", "-1", "+1", "1.0", "1e3", "0x1", " 1", "1".repeat(13)]) {
      expect(readUnixSeconds(text)).toBeUndefined();
    }
    expect(readIsoMoment("2021-07-25T10:00:00Z")).toBe(1_627_207_200_000);
    expect(readIsoMoment("2021-07-25T10:00:00.5Z")).toBe(1_627_207_200_500);
    for (const text of [undefined, "", "2021", "2021-07-25", "2021-13-25T10:00:00Z", "now"]) {
      expect(readIsoMoment(text)).toBeUndefined();
    }
  });
});
