import { unwrapBody } from "../../../../client/client.ts";
import type { DemoContext } from "./demo.ts";

const day = 86_400_000;

/** Creates API keys in all states: in use, unused, about to expire, rotated with grace, revoked. */
export const createKeys = async ({ client, path, baseUrl }: DemoContext) => {
  const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();
  const generate = async (
    name: string,
    body: { preset?: string; scopes?: string[]; expiresAt?: string },
  ) => {
    const { id, key } = await unwrapBody(
      client.POST("/v1/tenants/{tenant}/apiKeys:generate", {
        params: { path },
        body: { name, ...body },
      }),
    );
    return { id, key: key ?? "" };
  };
  const use = (key: string) =>
    fetch(`${baseUrl}/v1/tenants/${path.tenant}/apiKeys/current`, {
      headers: { "X-API-KEY": key },
    });

  const [inbound, production, deploy, , old, contractor] = await Promise.all([
    generate("Inbound deliveries", { scopes: ["inbound:deliver"] }),
    generate("Production runner", { preset: "Runner" }),
    generate("Deployments from CI", { preset: "Builder", expiresAt: inDays(5) }),
    generate("Reporting and dashboards of the finance team, read-only, EU region", {
      preset: "Read-only",
    }),
    generate("Laptop of Grace", { preset: "Admin" }),
    generate("Contractor, until the end of the year", {
      preset: "Read-only",
      expiresAt: inDays(38),
    }),
  ]);
  await Promise.all([production, deploy].map(({ key }) => use(key)));
  const at = (apiKey: string) => ({ params: { path: { ...path, apiKey } } });
  await client.POST("/v1/tenants/{tenant}/apiKeys/{apiKey}:rotate", {
    ...at(deploy.id),
    body: { graceSeconds: 86_400 },
  });
  await client.PATCH("/v1/tenants/{tenant}/apiKeys/{apiKey}", {
    ...at(deploy.id),
    body: { name: "Deployments from CI (GitHub Actions)" },
  });
  await client.PATCH("/v1/tenants/{tenant}/apiKeys/{apiKey}", {
    ...at(contractor.id),
    body: { scopes: ["agents:read", "executions:read"] },
  });
  await client.DELETE("/v1/tenants/{tenant}/apiKeys/{apiKey}", at(old.id));
  return { inbound: inbound.key, history: deploy.id };
};
