import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRouter } from "../../infra/local/gateway/router.ts";

const resources = [
  "/",
  "/v1/tenants",
  "/v1/tenants/{p1}",
  "/v1/tenants/{p1}/apiKeys:generate",
  "/v1/tenants/{p1}/apiKeys/current",
  "/v1/tenants/{p1}/apiKeys/{p2}",
  "/v1/tenants/{p1}/agents/{p2}/revisions/{p3}",
  "/{proxy+}",
];
const route = createRouter(resources);
const segment = fc
  .string({ minLength: 1, maxLength: 12 })
  .map((text) => encodeURIComponent(text))
  .filter((text) => text !== "" && text !== "." && text !== "..");

describe("routing", () => {
  test("a literal precedes a variable, and a variable a greedy one", () => {
    expect(route("/v1/tenants/t/apiKeys/current")?.resource).toBe(
      "/v1/tenants/{p1}/apiKeys/current",
    );
    expect(route("/v1/tenants/t/apiKeys/other")?.resource).toBe("/v1/tenants/{p1}/apiKeys/{p2}");
    expect(route("/v1/tenants/t/else")).toEqual({
      resource: "/{proxy+}",
      parameters: { proxy: "v1/tenants/t/else" },
    });
  });

  test("path parameters are percent-encoded as sent", () => {
    fc.assert(
      fc.property(segment, segment, segment, (p1, p2, p3) => {
        expect(route(`/v1/tenants/${p1}/agents/${p2}/revisions/${p3}`)).toEqual({
          resource: "/v1/tenants/{p1}/agents/{p2}/revisions/{p3}",
          parameters: { p1, p2, p3 },
        });
      }),
    );
  });

  test("a verb after the last variable is part of its value", () => {
    expect(route("/v1/tenants/t/agents/a/revisions/1:deploy")?.parameters).toEqual({
      p1: "t",
      p2: "a",
      p3: "1:deploy",
    });
    expect(route("/v1/tenants/t/agents/a/revisions/1%3Adeploy")?.parameters?.p3).toBe("1%3Adeploy");
  });

  test("a literal with a colon matches its percent-encoded form", () => {
    for (const path of [
      "/v1/tenants/t/apiKeys:generate",
      "/v1/tenants/t/apiKeys%3Agenerate",
      "/v1/tenants/t/apiKeys%3agenerate",
    ]) {
      expect(route(path)).toEqual({
        resource: "/v1/tenants/{p1}/apiKeys:generate",
        parameters: { p1: "t" },
      });
    }
  });

  test("a trailing slash is ignored", () => {
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const path = `/${segments.join("/")}`;
        expect(route(`${path}/`)).toEqual(route(path));
      }),
    );
    expect(route("/")?.resource).toBe("/");
  });

  test("a variable does not match an empty segment", () => {
    expect(route("/v1/tenants//apiKeys/current")?.resource).toBe("/{proxy+}");
  });

  test("a greedy resource at the root matches every path, malformed encoding included", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(route(`/${text}`)).toBeDefined();
      }),
    );
    expect(createRouter(["/a"])("/b")).toBeUndefined();
  });
});
