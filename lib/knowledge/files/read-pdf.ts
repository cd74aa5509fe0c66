import { getDocumentProxy } from "unpdf";
import { fileLimits } from "./file-limits.ts";
import { FileRefused } from "./file-refused.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/**
 * Returns the text of a PDF, page by page. Throws FileRefused for an encrypted or broken one, for one without text, and
 * beyond the limits of pages and characters.
 */
export const pdfToText = async (bytes: Uint8Array): Promise<string> => {
  const pdf = await open(bytes);
  if (pdf.numPages > fileLimits.pages) {
    throw new FileRefused(`has more than ${fileLimits.pages} pages.`);
  }
  const pages: string[] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const text = await readPageText(pdf, number);
    characters += text.length;
    if (characters > fileLimits.characters) {
      throw new FileRefused(`has more than ${fileLimits.characters} characters of text.`);
    }
    pages.push(text);
  }
  if (pages.every((page) => page.trim() === "")) {
    throw new FileRefused(
      "has no text: its pages are probably scanned images. Recognize their text (OCR) and upload the result.",
    );
  }
  return pages.join("\n\n");
};

const open = async (bytes: Uint8Array): Promise<Pdf> => {
  try {
    return await getDocumentProxy(bytes);
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new FileRefused(
      isLocked ? "is encrypted. Upload it without a password." : "is not a valid PDF.",
    );
  }
};

/** A page that cannot be read is skipped as long as others can. */
const readPageText = async (pdf: Pdf, number: number): Promise<string> => {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return items
      .map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : ""))
      .join("");
  } catch {
    return "";
  }
};
