import * as z from "zod";
import { formatPackageId, type LockedPackage } from "./lockfile.ts";

const Component = z.object({
  "bom-ref": z.string(),
  type: z.string(),
  name: z.string(),
  version: z.string(),
  scope: z.string(),
  purl: z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  hashes: z.array(z.object({ alg: z.string(), content: z.string() })).default([]),
  licenses: z.array(z.unknown()).default([]),
});

const Dependency = z.object({ ref: z.string(), dependsOn: z.array(z.string()).default([]) });

const Sbom = z.object({
  $schema: z.string(),
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.string(),
  version: z.int(),
  components: z.array(Component),
  dependencies: z.array(Dependency),
});

const developmentProperty = "cdx:npm:package:development";

/** Scope of the workspaces, which are parts of the product and not dependencies. */
const workspaceScope = "@wharf/";

/**
 * Renders what `npm sbom --sbom-format cyclonedx --package-lock-only` prints, a component a line, without what differs
 * from run to run: serial number, time, npm's version and the name of the folder.
 */
export const renderSbom = (printed: string): string => {
  const { components, dependencies, ...head } = Sbom.parse(JSON.parse(printed));
  const lines = (items: readonly unknown[]): string =>
    items.map((item) => `    ${JSON.stringify(item)}`).join(",\n");
  const sorted = components
    .filter((component) => !component["bom-ref"].startsWith(workspaceScope))
    .toSorted((left, right) => (left["bom-ref"] < right["bom-ref"] ? -1 : 1));
  const edges = dependencies
    .filter(({ dependsOn }) => dependsOn.length > 0)
    .toSorted((left, right) => (left.ref < right.ref ? -1 : 1));
  const metadata = { component: { "bom-ref": "wharf", type: "application", name: "wharf" } };
  const members = Object.entries({ ...head, metadata }).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  return [
    "{",
    ...members,
    `  "components": [\n${lines(sorted)}\n  ],`,
    `  "dependencies": [\n${lines(edges)}\n  ]`,
    "}",
    "",
  ].join("\n");
};

/** Returns a sentence for each difference between an SBOM and the packages of the lockfile. */
export const findSbomProblems = (sbom: string, packages: readonly LockedPackage[]): string[] => {
  const listed = new Map(
    Sbom.parse(JSON.parse(sbom)).components.map((component) => [
      formatPackageId(component),
      component,
    ]),
  );
  const locked = new Set(packages.map(formatPackageId));
  const missing = packages.filter((locked) => !listed.has(formatPackageId(locked)));
  const gone = [...listed.keys()].filter((id) => !locked.has(id));
  const moved = packages.filter((lockedPackage) => {
    const component = listed.get(formatPackageId(lockedPackage));
    const isDevelopment = component?.properties.some(({ name }) => name === developmentProperty);
    return component && isDevelopment !== lockedPackage.isDevelopment;
  });
  return [
    ...missing.map((lockedPackage) => `The SBOM lacks ${formatPackageId(lockedPackage)}.`),
    ...gone.map((id) => `The SBOM has ${id}, which the lockfile does not have.`),
    ...moved.map(
      (lockedPackage) =>
        `The SBOM has ${formatPackageId(lockedPackage)} among the wrong dependencies.`,
    ),
  ];
};
