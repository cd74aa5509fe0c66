import { crc32, deflateRawSync, deflateSync } from "node:zlib";

/** Returns a PDF with a page of `bytes` bytes when it is expanded. */
export const bombPdf = (bytes: number): Buffer => {
  const packed = deflateSync(Buffer.alloc(bytes, " ")).toString("latin1");
  const stream = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed}\nendstream`;
  return toPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
    stream,
  ]);
};

/** Returns a PDF with a line of text on each page; "" is an empty page. */
export const samplePdf = (pages: readonly string[], trailer = ""): Buffer => {
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((text, at) => {
      const content = text === "" ? "" : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return toPdf(objects, trailer);
};

const toPdf = (objects: readonly string[], trailer = ""): Buffer => {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + end, "latin1");
};

/** Returns a ZIP archive of compressed parts. */
export const sampleZip = (parts: Readonly<Record<string, string | Buffer>>): Buffer => {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, part] of Object.entries(parts)) {
    const content = Buffer.from(part);
    const data = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const made = Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common]);
    locals.push(local);
    directory.push(Buffer.concat([made, place, Buffer.from(name)]));
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, listed, end]);
};

const namespace = "http://schemas.openxmlformats.org";

/** Returns a DOCX with a heading and a paragraph. */
export const sampleDocx = (heading: string, paragraph: string): Buffer =>
  sampleZip({
    "[Content_Types].xml": `<Types xmlns="${namespace}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${namespace}/package/2006/relationships"><Relationship Id="r1" Type="${namespace}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<w:document xmlns:w="${namespace}/wordprocessingml/2006/main"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${heading}</w:t></w:r></w:p><w:p><w:r><w:t>${paragraph}</w:t></w:r></w:p></w:body></w:document>`,
    "word/styles.xml": `<w:styles xmlns:w="${namespace}/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    "word/_rels/document.xml.rels": `<Relationships xmlns="${namespace}/package/2006/relationships"><Relationship Id="r1" Type="${namespace}/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`,
  });
