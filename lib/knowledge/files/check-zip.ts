import { inflateRawSync } from "node:zlib";
import { fileLimits } from "./file-limits.ts";
import { FileRefused } from "./file-refused.ts";

/**
 * ZIP, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT: the last record of a file names
 * the central directory, which lists the parts. Sizes that it declares are not trusted.
 */
const endRecord = { signature: 0x06054b50, bytes: 22, longestComment: 65_535 };
const directoryEntry = { signature: 0x02014b50, bytes: 46 };
const localEntry = { signature: 0x04034b50, bytes: 30 };
const deflated = 8;

/**
 * Checks that a ZIP archive stays within limits when a library expands it: the bytes of all parts and of each XML part,
 * found by expanding them one by one. Throws FileRefused for a larger, broken or encrypted one.
 */
export const checkZip = (bytes: Uint8Array): void => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let total = 0;
  try {
    for (const part of listZipParts(zip)) {
      const most = part.name.endsWith(".xml") ? fileLimits.partBytes : fileLimits.expandedBytes;
      const left = Math.min(most, fileLimits.expandedBytes - total);
      total += expandedBytes(zip, part, left);
    }
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw broken();
  }
};

const broken = (): FileRefused => new FileRefused("is not a valid DOCX: its archive is broken.");
const tooLarge = (): FileRefused => new FileRefused("is too large when it is expanded.");

type Part = { name: string; flags: number; method: number; compressed: number; at: number };

function* listZipParts(zip: Buffer): Generator<Part> {
  const end = findEnd(zip);
  const { count, offset } = readLastRecord(zip, end);
  let at = offset;
  for (let left = count; left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== directoryEntry.signature) throw broken();
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const nameEnd = at + directoryEntry.bytes + (name ?? 0);
    yield {
      name: zip.toString("latin1", at + directoryEntry.bytes, nameEnd).toLowerCase(),
      flags: zip.readUInt16LE(at + 8),
      method: zip.readUInt16LE(at + 10),
      compressed: zip.readUInt32LE(at + 20),
      at: zip.readUInt32LE(at + 42),
    };
    at = nameEnd + (extra ?? 0) + (comment ?? 0);
  }
  if (at !== end) throw broken();
}

/**
 * Reads the last record. The directory must end where the record begins: libraries read entries beyond its count, move a
 * directory that ends before, and read another one where a field refers to ZIP64.
 */
const readLastRecord = (zip: Buffer, end: number): { count: number; offset: number } => {
  const [disk, directoryDisk, here, count] = [4, 6, 8, 10].map((at) => zip.readUInt16LE(end + at));
  const [size = 0, offset = 0] = [12, 16].map((at) => zip.readUInt32LE(end + at));
  const isSingle = disk === 0 && directoryDisk === 0 && here === count;
  if (!isSingle || count === undefined || count === 65_535 || offset + size !== end) throw broken();
  return { count, offset };
};

const findEnd = (zip: Buffer): number => {
  const first = Math.max(0, zip.length - endRecord.bytes - endRecord.longestComment);
  for (let at = zip.length - endRecord.bytes; at >= first; at -= 1) {
    if (zip.readUInt32LE(at) === endRecord.signature) return at;
  }
  throw broken();
};

const expandedBytes = (zip: Buffer, part: Part, most: number): number => {
  if ((part.flags & 1) === 1) throw new FileRefused("is encrypted. Upload it without a password.");
  if (zip.readUInt32LE(part.at) !== localEntry.signature) throw broken();
  const start =
    part.at + localEntry.bytes + zip.readUInt16LE(part.at + 26) + zip.readUInt16LE(part.at + 28);
  const data = zip.subarray(start, start + part.compressed);
  if (part.method !== deflated) {
    if (data.length > most) throw tooLarge();
    return data.length;
  }
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, most) }).length;
  } catch (error) {
    const isLimit = error instanceof Error && Reflect.get(error, "code") === "ERR_BUFFER_TOO_LARGE";
    throw isLimit ? tooLarge() : broken();
  }
};
