import { CommandError } from "../shell/command.ts";
import { writeObject } from "./bucket-objects.ts";
import { classify, type Item, type Subject } from "./classify.ts";
import { deliverImported } from "./deliver-imported.ts";
import { type FileStore, hashBytes } from "./file-store.ts";
import type { Installation } from "./installation.ts";
import { parseItem } from "./item-json.ts";
import {
  type ExportFile,
  type Manifest,
  ObjectLine,
  type Phase,
  phases,
  readManifest,
} from "./manifest.ts";
import { getImport, type ImportState, putImport, removeImport } from "./move-store.ts";
import type { Pace } from "./pace.ts";
import { formatCount, type Progress } from "./progress.ts";
import { openSecretsBox, type SecretsBox } from "./secrets.ts";
import { settleItem } from "./settle-item.ts";
import { findTenant, readSubject } from "./subject.ts";
import { putItems, putNewItem, putNewTogether, queryItems } from "./table-items.ts";
import { putVectors, StoredVector } from "./vectors.ts";

/** Dependencies of an import. */
export type ImportDeps = {
  readonly target: Installation;
  readonly store: FileStore;
  readonly pace: Pace;
  readonly progress: Progress;
  readonly clock: () => number;
};

/**
 * Imports an exported tenant, with its ids, into an installation without it. Continues its own import. The tenant exists
 * at the end, when all of its data is there. Returns the manifest. Throws a CommandError.
 */
export const importTenant = async (
  deps: ImportDeps,
  { passphrase }: { passphrase: string | undefined },
): Promise<Manifest> => {
  const { store, target, progress } = deps;
  const manifest = await readManifest(store);
  const { tenant } = manifest;
  const state = await startImport(deps, manifest);
  const box = await openSecretsBox(target.sealer, manifest.secrets, passphrase);
  const subject = await readSubject(target, tenant, manifest);
  const run: ImportRun = { ...deps, manifest, subject, box, state, kept: 0 };
  const steps = listSteps(manifest.files);
  for (const [at, step] of steps.entries()) {
    if (at < state.done) continue;
    await runStep(run, step);
    state.done = at + 1;
    await putImport(target.db, tenant.id, state);
    progress(`files: ${at + 1} of ${steps.length} imported`);
  }
  progress(`files: ${steps.length} of ${steps.length} imported`, { isMilestone: true });
  if (run.kept > 0) {
    const line = `${formatCount(run.kept)} items of the organization ${tenant.organizationId} existed and were kept`;
    progress(line, { isMilestone: true });
  }
  await openGate(run);
  await deliverImported(target, tenant);
  await removeImport(target.db, tenant.id);
  return manifest;
};

/** Makes the tenant exist. Throws a CommandError if its slug was taken meanwhile. */
const openGate = async ({ target, manifest }: ImportRun): Promise<void> => {
  if (await putNewTogether(target, manifest.gate.map(parseItem))) return;
  const { id, slug } = manifest.tenant;
  if ((await findTenant(target, slug))?.id === id) return;
  throw new CommandError(
    `A tenant with the slug ${slug} was created meanwhile. Delete it, and run the import again.`,
  );
};

const startImport = async (
  { target, progress }: ImportDeps,
  { exportId, tenant }: Manifest,
): Promise<ImportState> => {
  const earlier = await getImport(target.db, tenant.id);
  if (earlier?.exportId === exportId) {
    progress("continues an import that was interrupted", { isMilestone: true });
    return earlier;
  }
  if (earlier) {
    throw new CommandError(
      `Another export of the tenant ${tenant.id} is being imported. Delete the tenant first, or finish that import.`,
    );
  }
  for (const name of [tenant.id, tenant.slug]) {
    if (await findTenant(target, name)) {
      throw new CommandError(`The tenant ${name} exists. Import into an installation without it.`);
    }
  }
  const others = await Array.fromAsync(
    queryItems(target, `ORG#${tenant.organizationId}`, "TENANT#"),
  );
  const state = { exportId, isOrganizationKept: others.length > 0, done: 0 };
  await putImport(target.db, tenant.id, state);
  return state;
};

type Step = { file: ExportFile; phase?: Phase };

/** Objects and vectors come before the items that name them. */
const listSteps = (files: readonly ExportFile[]): Step[] => [
  ...files.filter(({ kind }) => kind !== "items").map((file) => ({ file })),
  ...phases.flatMap((phase) =>
    files
      .filter((file) => file.kind === "items" && file.phases?.includes(phase) !== false)
      .map((file) => ({ file, phase })),
  ),
];

type ImportRun = ImportDeps & {
  readonly manifest: Manifest;
  readonly subject: Subject;
  readonly box: SecretsBox;
  readonly state: ImportState;
  /** Number of items that were not written, as the organization had them. */
  kept: number;
};

const runStep = async (run: ImportRun, { file, phase = "data" }: Step): Promise<void> => {
  const lines = await readLines(run.store, file);
  switch (file.kind) {
    case "objects":
      return importObjects(
        run,
        lines.map((line) => ObjectLine.parse(JSON.parse(line))),
      );
    case "vectors":
      return putVectors(
        run.target,
        file.index ?? "",
        lines.map((line) => StoredVector.parse(JSON.parse(line))),
      );
    case "items":
      return importItems(run, phase, lines);
  }
};

const readLines = async (store: FileStore, file: ExportFile): Promise<string[]> => {
  const content = await readVerified(store, file.name, file.sha256);
  const lines = Buffer.from(content).toString("utf8").split("\n").slice(0, -1);
  if (lines.length === file.count) return lines;
  throw new CommandError(`${file.name} has ${lines.length} lines, not ${file.count}.`);
};

/** Reads a file of an export. Throws a CommandError when it is missing or not as it was written. */
const readVerified = async (
  store: FileStore,
  name: string,
  sha256: string,
): Promise<Uint8Array> => {
  const content = await store.get(name);
  if (!content) throw new CommandError(`${name} is missing in ${store.address}.`);
  if (hashBytes(content) === sha256) return content;
  throw new CommandError(
    `${name} in ${store.address} is not as it was exported: its SHA-256 is another one.`,
  );
};

const objectsAtOnce = 8;

const importObjects = async (
  { store, target }: ImportRun,
  lines: readonly ObjectLine[],
): Promise<void> => {
  for (let start = 0; start < lines.length; start += objectsAtOnce) {
    await Promise.all(
      lines
        .slice(start, start + objectsAtOnce)
        .map(async ({ key, file, sha256, contentType, contentEncoding }) => {
          const content = await readVerified(store, file, sha256);
          await writeObject(target, key, { content, contentType, contentEncoding });
        }),
    );
  }
};

const importItems = async (
  run: ImportRun,
  phase: Phase,
  lines: readonly string[],
): Promise<void> => {
  const { manifest, target, pace, box, state } = run;
  const own: Item[] = [];
  const shared: Item[] = [];
  for (const line of lines) {
    const item = parseItem(line);
    const classified = classify(item, run.subject);
    if (!classified) throw new CommandError(`An item of ${manifest.exportId} is of no family.`);
    if ((classified.family.phase ?? "data") !== phase) continue;
    const unpacked = await box.unpack(settleItem(item, classified, run.clock()), classified);
    const isShared = classified.family.owner === "organization" && classified.owner !== "tenant";
    (isShared && state.isOrganizationKept ? shared : own).push(unpacked);
  }
  await putItems(target, own, pace);
  for (const item of shared) if (!(await putNewItem(target, item))) run.kept += 1;
};
