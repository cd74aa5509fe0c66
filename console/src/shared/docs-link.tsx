import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTenant } from "../session/tenant.ts";

type DocsLinkProps = {
  /** Name of the page in `docs`, without its ending. */
  page: string;
};

/** Leads to a page of the documentation. */
export const DocsLink = ({ page }: DocsLinkProps) => {
  const tenant = useTenant();
  return (
    <Anchor component={Link} size="sm" to={`/t/${tenant}/docs/${page}`}>
      Read about {page.replaceAll("-", " ")}
    </Anchor>
  );
};
