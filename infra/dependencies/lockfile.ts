import * as z from "zod";

/** A package of the lockfile at one version. */
export type LockedPackage = {
  name: string;
  version: string;
  /** SPDX expression as its package.json has it; undefined for none. */
  licence: string | undefined;
  /** Whether the product contains it: a function, the command-line tool, the client or the console. */
  isShipped: boolean;
  /** Whether npm counts it to the development dependencies. */
  isDevelopment: boolean;
};

const Names = z.record(z.string(), z.string()).default({});

const Entry = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  license: z.string().optional(),
  /** Whether it is a link to a workspace. */
  link: z.boolean().default(false),
  dev: z.boolean().default(false),
  dependencies: Names,
  devDependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
  peerDependenciesMeta: z
    .record(z.string(), z.object({ optional: z.boolean().default(false) }))
    .default({}),
});
type Entry = z.output<typeof Entry>;

const Lockfile = z.object({ packages: z.record(z.string(), Entry) });

const folder = "node_modules/";

/**
 * Reads the packages of package-lock.json by name, one entry per version. Shipped are the
 * dependencies of every manifest, and the development dependencies of the workspaces in `bundled`,
 * because their packages contain them.
 */
export const readLockfile = (text: string, bundled: readonly string[]): LockedPackage[] => {
  const { packages } = Lockfile.parse(JSON.parse(text));
  const manifests = Object.entries(packages).filter(([place]) => !place.includes(folder));
  const roots = manifests.flatMap(([place, { dependencies, devDependencies }]) =>
    Object.keys({ ...dependencies, ...(bundled.includes(place) && devDependencies) }).map(
      (name) => ({ name, from: place }),
    ),
  );
  const shipped = reachable(packages, roots);
  const found = new Map<string, LockedPackage>();
  for (const [place, entry] of Object.entries(packages)) {
    if (!place.includes(folder) || entry.link) continue;
    const name = entry.name ?? place.slice(place.lastIndexOf(folder) + folder.length);
    const version = entry.version ?? "";
    const known = found.get(`${name}@${version}`);
    found.set(`${name}@${version}`, {
      name,
      version,
      licence: entry.license,
      isShipped: shipped.has(place) || known?.isShipped === true,
      isDevelopment: entry.dev && known?.isDevelopment !== false,
    });
  }
  return [...found.values()].sort((left, right) =>
    compare(formatPackageId(left), formatPackageId(right)),
  );
};

/** Returns `name@version`. */
export const formatPackageId = ({
  name,
  version,
}: Pick<LockedPackage, "name" | "version">): string => `${name}@${version}`;

const compare = (left: string, right: string): number => {
  if (left === right) return 0;
  return left < right ? -1 : 1;
};

/** Returns the places of packages and of all that they depend on, required peers included. */
const reachable = (
  packages: Readonly<Record<string, Entry>>,
  roots: readonly { name: string; from: string }[],
): ReadonlySet<string> => {
  const reached = new Set<string>();
  const left = [...roots];
  for (let next = left.pop(); next; next = left.pop()) {
    const place = resolvePackage(packages, next.name, next.from);
    const entry = place === undefined ? undefined : packages[place];
    if (!entry || place === undefined || reached.has(place)) continue;
    reached.add(place);
    const peers = Object.keys(entry.peerDependencies).filter(
      (name) => !entry.peerDependenciesMeta[name]?.optional,
    );
    const names = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies });
    left.push(...[...names, ...peers].map((name) => ({ name, from: place })));
  }
  return reached;
};

/** Finds a package as Node does: in the importing package's folder, then in the ones above. */
const resolvePackage = (
  packages: Readonly<Record<string, Entry>>,
  name: string,
  from: string,
): string | undefined => {
  for (let above = from; ; above = toParentPath(above)) {
    const place = above === "" ? `${folder}${name}` : `${above}/${folder}${name}`;
    if (packages[place]) return place;
    if (above === "") return undefined;
  }
};

const toParentPath = (place: string): string => {
  const end = place.lastIndexOf(`/${folder}`);
  return end === -1 ? "" : place.slice(0, end);
};
