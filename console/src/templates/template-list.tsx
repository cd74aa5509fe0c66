import { SimpleGrid } from "@mantine/core";
import { allTemplates } from "./all-templates.ts";
import classes from "./template-card.module.css";
import { TemplateCard } from "./template-card.tsx";

/** Lists the templates, or the first ones. */
export const TemplateList = ({ limit }: { limit?: number }) => (
  <SimpleGrid
    component="ul"
    cols={{ base: 1, sm: 2, lg: 3 }}
    className={classes.list ?? ""}
    aria-label="Templates"
  >
    {allTemplates.slice(0, limit).map((named) => (
      <TemplateCard key={named.name} named={named} />
    ))}
  </SimpleGrid>
);
