import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { vendors } from "../lib/vendors/vendors.ts";

/** Folder of the vendors. */
export const vendorsFolder = resolve(import.meta.dirname, "../lib/vendors");

/** A file that a vendor's folder may have, what it exports, and the list of all vendors that have it. */
type Part = {
  readonly file: string;
  readonly exported: string;
  readonly list: { readonly file: string; readonly name: string; readonly title: string };
  /** Names of the ids and their type, where code needs ids without what they stand for. */
  readonly ids?: { readonly name: string; readonly type?: string };
};

/** The parts of vendors, which are all that a vendor can have. */
export const vendorParts: readonly Part[] = [
  {
    file: "webhook",
    exported: "webhook",
    list: { file: "webhook-providers", name: "webhookProviders", title: "Webhook providers" },
    ids: { name: "webhookProviderIds" },
  },
  {
    file: "event-types",
    exported: "eventTypes",
    list: { file: "event-types", name: "eventTypes", title: "Event types" },
  },
  {
    file: "registration",
    exported: "registrar",
    list: { file: "registrars", name: "registrars", title: "Registrars" },
    ids: { name: "registrarIds" },
  },
  {
    file: "integration",
    exported: "integration",
    list: { file: "integrations", name: "integrations", title: "Integrations" },
  },
  {
    file: "chat",
    exported: "chat",
    list: { file: "chat-providers", name: "chatProviders", title: "Chat providers" },
    ids: { name: "chatProviderIds", type: "ChatProviderId" },
  },
  {
    file: "source",
    exported: "createSource",
    list: { file: "sources", name: "sources", title: "Functions that create sources" },
  },
  {
    file: "sample",
    exported: "sample",
    list: { file: "samples", name: "samples", title: "Samples of webhook deliveries" },
  },
];

const note = "// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.\n";

/** Builds the lists by path under the folder of the vendors: one file per part, so that a bundle has no other part. */
export const buildVendorLists = (): ReadonlyMap<string, string> =>
  new Map([
    ...vendorParts.map((part) => [`lists/${part.list.file}.ts`, buildList(part)] as const),
    ["lists/ids.ts", note + vendorParts.map(buildIds).join("")],
  ]);

const findVendors = ({ file }: Part): string[] =>
  vendors.filter((vendor) => existsSync(resolve(vendorsFolder, vendor, `${file}.ts`)));

const buildList = (part: Part): string => {
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
      return local === vendor ? `  ${local},\n` : `  "${vendor}": ${local},\n`;
    })
    .join("");
  const { name, title } = part.list;
  return `${note}${imports}\n/** ${title} by vendor. */\nexport const ${name} = {\n${members}};\n`;
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
