import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { vendors } from "../../lib/vendors/vendors.ts";

/** Folder of the vendors. */
export const vendorsFolder = resolve(import.meta.dirname, "../../lib/vendors");

/** A file that a vendor's folder may have, what it exports, and the registry of all vendors that have it. */
type Part = {
  readonly file: string;
  readonly exported: string;
  readonly registry: { readonly file: string; readonly name: string; readonly title: string };
  /** Names of the ids and their type, where code needs ids without the vendors' modules. */
  readonly ids?: { readonly name: string; readonly type?: string };
  /** Whether the registry has the members of all vendors instead of one member per vendor. */
  readonly isMerged?: boolean;
};

/** The parts of vendors, which are all that a vendor can have. */
export const vendorParts: readonly Part[] = [
  {
    file: "webhook",
    exported: "webhook",
    registry: { file: "webhook-providers", name: "webhookProviders", title: "Webhook providers" },
    ids: { name: "webhookProviderIds" },
  },
  {
    file: "event-types",
    exported: "eventTypes",
    registry: { file: "event-types", name: "eventTypes", title: "Event types" },
  },
  {
    file: "registration",
    exported: "registrar",
    registry: { file: "registrars", name: "registrars", title: "Registrars" },
    ids: { name: "registrarIds" },
  },
  {
    file: "integration",
    exported: "integration",
    registry: { file: "integrations", name: "integrations", title: "Integrations" },
  },
  {
    file: "chat",
    exported: "chat",
    registry: { file: "chat-providers", name: "chatProviders", title: "Chat providers" },
    ids: { name: "chatProviderIds", type: "ChatProviderId" },
  },
  {
    file: "webhook-form",
    exported: "webhookForm",
    registry: { file: "webhook-forms", name: "webhookForms", title: "Forms of webhooks" },
  },
  {
    file: "chat-form",
    exported: "chatForm",
    registry: { file: "chat-forms", name: "chatForms", title: "Forms of connectors" },
  },
  {
    file: "source",
    exported: "createSource",
    registry: { file: "sources", name: "sources", title: "Functions that create sources" },
  },
  {
    file: "settings",
    exported: "settings",
    registry: { file: "settings", name: "vendorSettings", title: "Settings of a deployment" },
    isMerged: true,
  },
  {
    file: "sample",
    exported: "sample",
    registry: { file: "samples", name: "samples", title: "Samples of webhook deliveries" },
  },
];

const note = "// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.\n";

/** Builds the registries by path under the folder of the vendors: one file per part, so that a bundle has no other part. */
export const buildVendorRegistries = (): ReadonlyMap<string, string> =>
  new Map([
    ...vendorParts.map(
      (part) => [`registry/${part.registry.file}.ts`, buildRegistry(part)] as const,
    ),
    ["registry/ids.ts", note + vendorParts.map(buildIds).join("")],
  ]);

const findVendors = ({ file }: Part): string[] =>
  vendors.filter((vendor) => existsSync(resolve(vendorsFolder, vendor, `${file}.ts`)));

const buildRegistry = (part: Part): string => {
  const found = findVendors(part);
  const imports = found
    .toSorted()
    .map((vendor) => {
      const local = toIdentifier(vendor);
      const name = local === part.exported ? local : `${part.exported} as ${local}`;
      return `import { ${name} } from "../${vendor}/${part.file}.ts";\n`;
    })
    .join("");
  const members = found
    .map((vendor) => {
      const local = toIdentifier(vendor);
      if (part.isMerged) return `  ...${local},\n`;
      return local === vendor ? `  ${local},\n` : `  "${vendor}": ${local},\n`;
    })
    .join("");
  const { name, title } = part.registry;
  const by = part.isMerged ? "variable" : "vendor";
  return `${note}${imports}\n/** ${title} by ${by}. */\nexport const ${name} = {\n${members}};\n`;
};

const buildIds = (part: Part): string => {
  if (!part.ids) return "";
  const { name, type } = part.ids;
  const ids = findVendors(part).map((id) => `"${id}"`);
  const alias = type ? `export type ${type} = (typeof ${name})[number];\n` : "";
  const head = `export const ${name} = [`;
  const line = `${head}${ids.join(", ")}] as const;`;
  const list = line.length <= 100 ? line : `${head}\n  ${ids.join(",\n  ")},\n] as const;`;
  return `\n/** Vendors with a ${part.file}.ts. */\n${list}\n${alias}`;
};

const toIdentifier = (vendor: string): string =>
  vendor.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
