const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A part of a page, with escaped texts. */
export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Part = Html | string | readonly (Html | string)[];

const toSource = (part: Part): string => {
  if (part instanceof Html) return part.source;
  if (typeof part !== "string") return part.map(toSource).join("");
  return part.toWellFormed().replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
};

/** Builds a part of a page: texts in it are escaped, for content and for attributes in quotes. */
export const html = (template: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(template.map((text, at) => text + toSource(parts[at] ?? "")).join(""));
