import { crc32, deflateSync } from "node:zlib";

const width = 240;
const height = 160;

/** Colours of a sky, a hill and a sun, as red, green and blue. */
const chooseColor = (x: number, y: number): [number, number, number] => {
  if (Math.hypot(x - 180, y - 45) < 22) return [255, 214, 92];
  const hill = 110 + 22 * Math.sin(x / 38);
  return y > hill ? [74, 124 + Math.round(y / 8), 78] : [150 + Math.round(y / 3), 205, 236];
};

const buildChunk = (type: string, data: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.byteLength);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([size, content, check]);
};

/** Draws a picture as a PNG file (RFC 2083), of eight bits for each colour and without a filter. */
export const drawPhoto = (): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => chooseColor(x, y)).flat()]),
  );
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    buildChunk("IHDR", header),
    buildChunk("IDAT", deflateSync(Buffer.concat(rows))),
    buildChunk("IEND", Buffer.alloc(0)),
  ]);
};
