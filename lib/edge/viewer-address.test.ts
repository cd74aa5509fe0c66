import { expect, test } from "vitest";
import { originSecretHeader, readViewerAddress, viewerAddressHeader } from "./viewer-address.ts";

const secret = "s".repeat(40);
const readAddress = (viewer: readonly string[], given: readonly string[] = [secret]) =>
  readViewerAddress(
    new Map([
      [originSecretHeader, given],
      [viewerAddressHeader, viewer],
    ]),
    secret,
  );

test.each([
  ["198.51.100.10:46532", "198.51.100.10"],
  ["2001:db8::1:46532", "2001:db8::1"],
  ["2001:db8:0:0:0:0:0:1:46532", "2001:db8:0:0:0:0:0:1"],
  ["[2001:db8::1]:46532", "2001:db8::1"],
])("the viewer of %s has the address %s", (viewer, address) => {
  expect(readAddress([viewer])).toBe(address);
});

test.each(["", "198.51.100.10", "nobody:1", "198.51.100.10:46532, 192.0.2.1:1"])(
  "%j is no address",
  (viewer) => {
    expect(readAddress([viewer])).toBeUndefined();
  },
);

test("no address is believed without the one right secret, or when the API has none", () => {
  const viewer = "198.51.100.10:46532";
  for (const given of [[], ["wrong"], [secret, secret], [""]]) {
    expect(readAddress([viewer], given)).toBeUndefined();
  }
  const headers = new Map([[viewerAddressHeader, [viewer]]]);
  expect(readViewerAddress(headers, undefined)).toBeUndefined();
  expect(readViewerAddress(headers, "")).toBeUndefined();
  expect(readAddress([viewer, viewer])).toBeUndefined();
});
