/** A tenant in the API's form. */
export const tenantRecord = {
  id: "0193f0a0-7c4b-7000-8000-0000000000aa",
  slug: "demo",
  displayName: "Demo",
  organizationId: "local",
  createdAt: 1_763_596_800_000,
  modifiedAt: 1_763_596_800_000,
};

/** The id of the nth key. */
export const keyId = (n: number): string =>
  `0193f0a0-7c4b-7000-8000-${String(n).padStart(12, "0")}`;

/** A key in the API's form. */
export const keyRecord = (n: number, members: Record<string, unknown> = {}) => ({
  id: keyId(n),
  name: `Key ${n}`,
  scopes: ["agents:execute", "traces:write"],
  prefix: "wharf",
  last4: "9xQ2",
  createdAt: 1_763_596_800_000,
  createdBy: { type: "User", id: "admin" },
  modifiedAt: 1_763_596_800_000,
  lastUsedAt: null,
  expiresAt: null,
  status: "Active",
  ...members,
});

/** An audit event in the API's form. */
export const eventRecord = (n: number, members: Record<string, unknown> = {}) => ({
  id: keyId(n),
  apiKeyId: keyId(1),
  type: "ScopesChanged",
  actor: { type: "User", id: "admin", email: "admin@example.com" },
  previousScopes: ["agents:read", "agents:execute"],
  newScopes: ["agents:execute", "traces:write"],
  previousExpiresAt: null,
  newExpiresAt: "2030-01-01T00:00:00.000Z",
  requestContext: {
    requestId: "request-7",
    sourceIp: "192.0.2.7",
    userAgent: null,
    traceContext: undefined,
    method: "PATCH",
    path: "/v1/tenants/demo/apiKeys/x",
  },
  createdAt: 1_763_596_800_000,
  ...members,
});
