import mammoth from "mammoth";
import { htmlToText } from "../../values/text/html-to-text.ts";
import { checkZip } from "./check-zip.ts";
import { FileRefused } from "./file-refused.ts";

/** Office encrypts a document inside of an OLE compound file. */
const oleSignature = "d0cf11e0a1b11ae1";

/** Converts a DOCX to text, with headings as in Markdown. Throws FileRefused for an encrypted, broken or huge one. */
export const docxToText = async (bytes: Uint8Array): Promise<string> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.toString("hex", 0, 8) === oleSignature) {
    throw new FileRefused(
      "is encrypted, or of Word 2003 or earlier. Save it as DOCX without a password.",
    );
  }
  checkZip(bytes);
  const html = await toHtml(buffer);
  return htmlToText(html.replaceAll(/<h([1-6])>/g, toHeading), () => undefined);
};

const toHtml = async (buffer: Buffer): Promise<string> => {
  try {
    const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: "" }));
    const { value } = await mammoth.convertToHtml({ buffer }, { convertImage });
    return value;
  } catch {
    throw new FileRefused("is not a valid DOCX.");
  }
};

const toHeading = (element: string, level: string): string =>
  `${element}${"#".repeat(Number(level))} `;
