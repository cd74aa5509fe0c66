import { describe, expect, test } from "vitest";
import { type AddressedEvent, problemType, publicAddress } from "./public-address.ts";

const own = "/v1/tenants/demo/agents/hello:execute";
const resource = "/v1/tenants/{p1}/agents/{p2}";
const gateway = "a1b2c3.execute-api.eu-west-1.amazonaws.com";
const event = (domainName: string, sent: string, more: Partial<AddressedEvent> = {}) => ({
  path: own,
  resource,
  requestContext: { domainName, path: sent },
  ...more,
});
const behindDistribution = { stageVariables: { publicUrl: "https://d1.cloudfront.net" } };

describe("the API's address", () => {
  test.each([
    {
      shape: "a stage of API Gateway",
      event: event(gateway, `/live${own}`),
      address: [`https://${gateway}/live`, "/live", "/live"],
    },
    {
      shape: "a custom domain",
      event: event("api.example.com", own),
      address: ["https://api.example.com", "", ""],
    },
    {
      shape: "a base path of a custom domain, which is in the event's path too",
      event: event("api.example.com", `/wharf${own}`, { path: `/wharf${own}` }),
      address: ["https://api.example.com/wharf", "/wharf", "/wharf"],
    },
    {
      shape: "a distribution in front of the stage, whose stage variable has the public URL",
      event: event(gateway, `/live${own}`, behindDistribution),
      address: ["https://d1.cloudfront.net", "", "https://d1.cloudfront.net"],
    },
    {
      shape: "PUBLIC_URL, which wins over the stage variable and the event",
      event: event(gateway, `/live${own}`, behindDistribution),
      declared: "https://agents.example.com/api/",
      address: ["https://agents.example.com/api", "/api", "https://agents.example.com/api"],
    },
    {
      shape: "an unknown path of a stage",
      event: event(gateway, "/live/no/route", {
        path: "/no/route",
        resource: "/{proxy+}",
        pathParameters: { proxy: "no/route" },
      }),
      address: [`https://${gateway}/live`, "/live", "/live"],
    },
    {
      shape: "an unknown path below the base path of a custom domain",
      event: event("api.example.com", "/wharf/no/route", {
        path: "/wharf/no/route",
        resource: "/{proxy+}",
        pathParameters: { proxy: "no/route" },
      }),
      address: ["https://api.example.com/wharf", "/wharf", "/wharf"],
    },
    {
      shape: "a path that ends with a slash",
      event: event("api.example.com", `${own}/`, { path: `${own}/` }),
      address: ["https://api.example.com", "", ""],
    },
    {
      shape: "a path that begins with two slashes, which is no other host",
      event: event("api.example.com", `//evil.example${own}`, { path: `//evil.example${own}` }),
      address: ["https://api.example.com/evil.example", "/evil.example", "/evil.example"],
    },
  ])("follows $shape", ({ event: sent, declared, address }) => {
    const { baseUrl, basePath, linkBase } = publicAddress(sent, "https", { api: declared });
    expect([baseUrl, basePath, linkBase]).toEqual(address);
  });

  test("the console is below the base URL, at its declared address, or nowhere", () => {
    const sent = event("api.example.com", own);
    const consoleAt = (declared?: Parameters<typeof publicAddress>[2]) =>
      publicAddress(sent, "https", declared).consoleUrl;
    expect(consoleAt()).toBe("https://api.example.com/console/");
    expect(consoleAt({ api: "https://a.example/x" })).toBe("https://a.example/x/console/");
    expect(consoleAt({ console: "https://c.example/" })).toBe("https://c.example/");
    expect(consoleAt({ console: null })).toBeNull();
  });

  test("a problem type is a path below the base path, whatever the host", () => {
    expect(problemType("not-found")).toBe("/problems/not-found");
    expect(problemType("not-found", "/live")).toBe("/live/problems/not-found");
  });
});
