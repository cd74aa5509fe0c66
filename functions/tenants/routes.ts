import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  CreateTenantBody,
  Tenant,
  TenantList,
  UpdateTenantBody,
} from "../../lib/tenancy/tenant/schemas.ts";

const route = createDefineRoute("tenants");

export const listTenants = route({
  operation: "list-tenants",
  method: "GET",
  path: "/v1/tenants",
  summary: "Lists the organization's tenants",
  scope: "organization:read",
  response: { status: 200, schema: TenantList },
  access: { table: "read" },
});

export const createTenant = route({
  operation: "create-tenant",
  creates: "Tenant",
  method: "POST",
  path: "/v1/tenants",
  summary: "Creates a tenant",
  scope: "organization:write",
  body: CreateTenantBody,
  response: { status: 201, schema: Tenant },
  problems: ["conflict"],
  access: { table: "write" },
});

export const getTenant = route({
  operation: "get-tenant",
  method: "GET",
  path: "/v1/tenants/{tenant}",
  summary: "Retrieves a tenant",
  scope: "organization:read",
  response: { status: 200, schema: Tenant },
  access: { table: "read" },
});

export const updateTenant = route({
  operation: "update-tenant",
  changes: "Tenant",
  method: "PATCH",
  path: "/v1/tenants/{tenant}",
  summary: "Changes a tenant's name, retention, embedding and guardrails",
  scope: "organization:write",
  body: UpdateTenantBody,
  response: { status: 200, schema: Tenant },
  problems: ["conflict"],
  access: { table: "write" },
});
