/** A page of the documentation: its title, and its text with links of the console. */
type DocText = { title: string; text: string };

/** Returns a page as the console shows it. Links to other pages lead to `base`; those to other files are plain texts. */
export const readDocText = (markdown: string, base: string): DocText => {
  const [, title = "Documentation"] = /^# (.+)$/m.exec(markdown) ?? [];
  const text = markdown
    .replace(/^# .+\n/m, "")
    // Paragraphs are wrapped in the files; each line would be one of its own.
    .replace(/(```[\s\S]*?```)|([^\n|])\n(?=[A-Za-z0-9`*[(“"])(?!\d+\. )/g, (all, code, before) =>
      code === undefined ? `${before} ` : all,
    )
    .replace(/(!?)\[([^\]]+)\]\((?!https?:)([^)]*)\)/g, (_all, image, label, target) => {
      const [, page] = /^([a-z-]+)\.md(?:#.*)?$/.exec(target) ?? [];
      if (image !== "") return "";
      return page === undefined ? label : `[${label}](${base}${page})`;
    });
  return { title, text };
};
