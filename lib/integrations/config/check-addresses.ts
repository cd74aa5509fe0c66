import { listIn } from "../../engine/tools/openapi/read.ts";
import { readDocument } from "../../engine/tools/openapi/read-document.ts";
import { serverUrl } from "../../engine/tools/openapi/server.ts";
import { ToolError } from "../../engine/tools/tool.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { toIssuePointer } from "../../platform/http/zod-error-map.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { wrongUrl } from "../../platform/outgoing/wrong-url.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import type { IntegrationContent } from "./schemas.ts";

type Parameters = IntegrationContent["parameters"];

/** Settings that are addresses, and whether they may have a query. */
const addresses = { baseUrl: false, url: true, documentUrl: true } as const;

/**
 * Throws 400 for an address of a config that may not be called, such as a private one: in its settings, or the server
 * of an `openapi` document without a `baseUrl`. Each call checks the addresses that a name resolves to.
 */
export const checkAddresses = async (
  integrationId: string,
  parameters: Parameters,
  { tenantId, outgoing }: { tenantId: TenantId; outgoing: OutgoingOptions },
): Promise<void> => {
  const errors = Object.entries(addresses).flatMap(([name, mayHaveQuery]): ValidationIssue[] => {
    const value = parameters[name];
    if (typeof value !== "string" || !parseAddress(value.trim())) return [];
    const detail = wrongUrl(value.trim(), outgoing, { mayHaveQuery });
    return detail === undefined ? [] : [{ pointer: toIssuePointer(["parameters", name]), detail }];
  });
  const server = integrationId === "openapi" ? await serverIn(tenantId, parameters) : undefined;
  const detail = server && wrongUrl(server, outgoing, { mayHaveQuery: true });
  if (detail) {
    const pointer = toIssuePointer(["parameters", "document"]);
    errors.push({ pointer, detail: `has a server that may not be called: ${detail}` });
  }
  if (errors.length > 0) throw validationFailed(errors);
};

/** Returns the absolute URL of the server that a stored document names, where it is called. */
const serverIn = async (
  tenantId: TenantId,
  { document, baseUrl }: Parameters,
): Promise<string | undefined> => {
  if (typeof baseUrl === "string" && baseUrl.trim() !== "") return undefined;
  const text = typeof document === "string" ? document : JSON.stringify(document ?? "");
  if (text.trim() === "" || text === '""') return undefined;
  try {
    const root = await readDocument(text, new ProcessorBudget(tenantId, processorLimits.requestMs));
    const [first] = listIn(root, "servers");
    const url = first === undefined ? undefined : serverUrl(first);
    return url !== undefined && parseAddress(url) ? url : undefined;
  } catch (error) {
    // A document that cannot be read is reported when its tools are listed.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
};
