import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readArrivedPath, toGatewayPath } from "./gateway-path.ts";

const segment = fc.stringMatching(/^[a-z][a-z-]{0,8}$/);
const verb = fc.stringMatching(/^[a-z][a-z-]{0,8}$/);
const id = fc.string({ minLength: 1, unit: "grapheme" }).filter((value) => value.isWellFormed());

describe("a custom method's path", () => {
  test("a trailing variable with a verb becomes the bare resource and the verb", () => {
    expect(toGatewayPath("/v1/tenants/{tenant}/agents/{agent}:execute")).toEqual({
      resource: "/v1/tenants/{p1}/agents/{p2}",
      verb: "execute",
      names: ["tenant", "agent"],
    });
  });

  test("a literal with a colon stays as it is", () => {
    expect(toGatewayPath("/v1/tenants/{tenant}/apiKeys:generate")).toEqual({
      resource: "/v1/tenants/{p1}/apiKeys:generate",
      verb: "",
      names: ["tenant"],
    });
  });

  test("whatever the ids and however they are encoded, they and the verb arrive as they were sent", () => {
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        verb,
        fc.infiniteStream(id),
        fc.boolean(),
        (segments, verb, ids, encodeColon) => {
          const path = `/${segments.map((name, at) => `${name}/{${name}${at}}`).join("/")}:${verb}`;
          const gateway = toGatewayPath(path);
          const values = segments.map(() => ids.next().value);
          const colon = encodeColon ? "%3A" : ":";
          const parameters = Object.fromEntries(
            values.map((value, at) => [
              `p${at + 1}`,
              encodeURIComponent(value) + (at === values.length - 1 ? colon + verb : ""),
            ]),
          );
          expect(readArrivedPath(gateway.resource, parameters)).toEqual({ values, verb });
        },
      ),
    );
  });

  test("only the last colon splits", () => {
    expect(readArrivedPath("/a/{p1}", { p1: "x:y:execute" })).toEqual({
      values: ["x:y"],
      verb: "execute",
    });
  });

  test("a double encoding is decoded once", () => {
    expect(readArrivedPath("/a/{p1}", { p1: "a%2541:run" })).toEqual({
      values: ["a%41"],
      verb: "run",
    });
  });

  test("broken encoding differs from every value", () => {
    expect(readArrivedPath("/a/{p1}", { p1: "%zz" })).toBeUndefined();
    expect(readArrivedPath("/a/{p1}", { p1: "%C3%28" })).toBeUndefined();
  });

  test("a colon in a variable that is not last belongs to its value", () => {
    expect(readArrivedPath("/a/{p1}/b", { p1: "x:y" })).toEqual({ values: ["x:y"], verb: "" });
  });
});
