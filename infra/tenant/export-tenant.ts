import { CommandError } from "../shell/command.ts";
import { type Classified, classify, type Item, type Subject } from "./classify.ts";
import { exportObjects } from "./export-objects.ts";
import { type ExportDeps, type ExportRun, writeLines } from "./export-run.ts";
import { exportVectors } from "./export-vectors.ts";
import { findIndexes } from "./find-indexes.ts";
import { isOpen } from "./is-open.ts";
import { formatItem } from "./item-json.ts";
import {
  Cursor,
  cursorName,
  type Manifest,
  manifestName,
  type Phase,
  readJsonFile,
  startCursor,
  writeJsonFile,
} from "./manifest.ts";
import { formatCount, sum } from "./progress.ts";
import { newSecretsForm, openSecretsBox, type SecretsBox } from "./secrets.ts";
import { readSubject, type TenantNames } from "./subject.ts";
import { type Position, scanTable } from "./table-items.ts";

export type ExportInput = {
  readonly tenant: TenantNames;
  /** Encrypts the secrets; undefined to leave them out. */
  readonly passphrase: string | undefined;
  /** Number of parts in which the table is read concurrently. */
  readonly segments: number;
  /** Bytes of a file of items, from which it is written. */
  readonly partBytes?: number;
  /** For tests: iterations of the passphrase's hash. */
  readonly passphraseCost?: number;
};

const defaultPartBytes = 16 * 1_024 * 1_024;
/** Pages of 1 MB after which the position is saved even if few items are the tenant's. */
const pagesPerSave = 200;

/**
 * Exports a tenant: items, objects and vectors, in files with a manifest. Continues an export that was interrupted.
 * Items are as they were when they were read. Throws a CommandError.
 */
export const exportTenant = async (deps: ExportDeps, input: ExportInput): Promise<Manifest> => {
  const { store, source, progress } = deps;
  const cursor = await openCursor(deps, input);
  let saving = Promise.resolve();
  const save = (): Promise<void> => {
    saving = saving.then(() => writeJsonFile(store, cursorName, cursor));
    return saving;
  };
  const run: ExportRun = { ...deps, cursor, save };
  const subject = await readSubject(source, input.tenant, cursor);
  const box = await openSecretsBox(source.sealer, cursor.secrets, input.passphrase);
  await Promise.all(
    cursor.segments.map((_, segment) => exportSegment(run, { ...input, subject, box, segment })),
  );
  progress(`items: ${formatCount(sum(cursor.counts))} exported`, { isMilestone: true });
  await exportObjects(run, subject.tenantId);
  await exportVectors(run);
  const { segments: _s, objectsAt: _o, indexesDone: _i, ...written } = cursor;
  const manifest: Manifest = { ...written, completedAt: new Date(deps.clock()).toISOString() };
  await writeJsonFile(store, manifestName, manifest);
  return manifest;
};

const openCursor = async (
  { store, progress, clock, newId, source }: ExportDeps,
  { tenant, passphrase, segments, passphraseCost }: ExportInput,
): Promise<Cursor> => {
  if (await store.get(manifestName)) {
    throw new CommandError(`${store.address} has a finished export. Choose another place.`);
  }
  const earlier = await readJsonFile(store, cursorName, Cursor);
  if (earlier) {
    if (earlier.tenant.id !== tenant.id) {
      throw new CommandError(
        `${store.address} has an export of the tenant ${earlier.tenant.id}. Choose another place.`,
      );
    }
    progress(`continues the export of ${earlier.startedAt}`, { isMilestone: true });
    return earlier;
  }
  const { isOnlyTenant } = await readSubject(source, tenant);
  const cursor = startCursor(
    {
      exportId: newId(),
      startedAt: new Date(clock()).toISOString(),
      tenant,
      isOnlyTenant,
      secrets: await newSecretsForm(passphrase, passphraseCost),
    },
    segments,
  );
  await writeJsonFile(store, cursorName, cursor);
  return cursor;
};

/** Lines of a file with what they add to the cursor. */
type Part = Pick<Cursor, "counts" | "gate" | "indexes" | "openExecutions" | "omitted"> & {
  lines: string[];
  bytes: number;
  phases: Set<Phase>;
};

const newPart = (): Part => ({
  lines: [],
  bytes: 0,
  phases: new Set(),
  counts: {},
  gate: [],
  indexes: [],
  openExecutions: 0,
  omitted: [],
});

const exportSegment = async (
  run: ExportRun,
  {
    subject,
    box,
    segment,
    partBytes = defaultPartBytes,
  }: ExportInput & { subject: Subject; box: SecretsBox; segment: number },
): Promise<void> => {
  const { cursor, source, pace, progress, clock } = run;
  const state = cursor.segments[segment];
  if (!state || state.isDone) return;
  const scan = { segment, segments: cursor.segments.length, isConsistent: false };
  let part = newPart();
  let pages = 0;
  let read = 0;
  for await (const { items, next } of scanTable(source, { ...scan, after: state.after }, pace)) {
    for (const [item, classified] of selectItems(items, subject, clock())) {
      await addItem(part, box, subject, item, classified);
    }
    pages += 1;
    read += items.length;
    progress(
      `items: ${formatCount(read)} read in segment ${segment + 1} of ${scan.segments}, ${formatCount(sum(cursor.counts) + part.lines.length)} of the tenant`,
    );
    const isDue = part.bytes >= partBytes || pages % pagesPerSave === 0 || next === undefined;
    if (!isDue) continue;
    await writePart(run, segment, part, next);
    part = newPart();
  }
};

function* selectItems(
  items: readonly Item[],
  subject: Subject,
  now: number,
): Generator<[Item, Classified]> {
  for (const item of items) {
    const classified = classify(item, subject);
    if (!classified?.owner || classified.family.staysBehind !== undefined) continue;
    const expiry = Number(item.ttl?.N ?? Number.POSITIVE_INFINITY);
    if (expiry * 1_000 > now) yield [item, classified];
  }
}

const addItem = async (
  part: Part,
  box: SecretsBox,
  subject: Subject,
  item: Item,
  classified: Classified,
): Promise<void> => {
  const { family } = classified;
  const { item: packed, packed: secrets } = await box.pack(item, classified);
  const line = formatItem(packed);
  part.counts[family.name] = (part.counts[family.name] ?? 0) + 1;
  if (family.phase === "gate") {
    part.gate.push(line);
    return;
  }
  part.lines.push(line);
  part.bytes += line.length;
  part.phases.add(family.phase ?? "data");
  part.indexes.push(...findIndexes(subject.tenantId, classified, item));
  if (isOpen(classified, item)) part.openExecutions += 1;
  if (secrets > 0 && box.form.form === "omitted" && family.name !== "executions") {
    part.omitted.push(`${family.name}: ${item.sk?.S}`);
  }
};

const writePart = async (
  run: ExportRun,
  segment: number,
  part: Part,
  next: Position | undefined,
): Promise<void> => {
  const { cursor, save } = run;
  const state = cursor.segments[segment];
  if (!state) return;
  if (part.lines.length > 0) {
    state.parts += 1;
    const name = `items/${segment + 1}-${String(state.parts).padStart(5, "0")}.jsonl`;
    const file = await writeLines(run, { name, kind: "items" }, part.lines);
    cursor.files.push({ ...file, phases: [...part.phases] });
  }
  for (const [family, count] of Object.entries(part.counts)) {
    cursor.counts[family] = (cursor.counts[family] ?? 0) + count;
  }
  cursor.indexes = [...new Set([...cursor.indexes, ...part.indexes])].sort();
  cursor.gate.push(...part.gate);
  cursor.openExecutions += part.openExecutions;
  cursor.omitted.push(...part.omitted);
  state.after = next;
  state.isDone = next === undefined;
  await save();
};
