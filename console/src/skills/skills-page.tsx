import { Anchor, Button, Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Skill } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { isEmptyList } from "../shared/is-empty-list.ts";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { Time } from "../shared/time.tsx";
import { CreateSkillDialog } from "./create-skill-dialog.tsx";
import { DeleteSkillDialog } from "./delete-skill-dialog.tsx";
import { useSkills } from "./use-skills.ts";

const buildColumns = (tenant: string): Column<Skill>[] => [
  {
    header: "Name",
    cell: ({ id, displayName, description }) => (
      <>
        <Anchor display="block" component={Link} to={`/t/${tenant}/skills/${id}`}>
          {displayName}
        </Anchor>
        <Text size="sm" c="dimmed" lineClamp={1}>
          {description}
        </Text>
      </>
    ),
  },
  { header: "ID", cell: ({ id }) => id, isSecondary: true },
  {
    header: "Tools",
    isSecondary: true,
    cell: ({ tools }) => tools?.map(({ id }) => id).join(", ") || "none",
  },
  {
    header: "Resources",
    isSecondary: true,
    isNumber: true,
    cell: ({ resources }) => resources?.length ?? 0,
  },
  { header: "Changed", cell: ({ modifiedAt }) => <Time value={modifiedAt} />, isSecondary: true },
];

/** Lists, creates and deletes skills. */
export const SkillsPage = () => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayWrite = useMay()("skills:write");
  const list = useSkills();
  const [isCreating, setIsCreating] = useState(false);
  const [deleted, setDeleted] = useState<Skill>();
  const edit = ({ id }: Skill): void =>
    void navigate({ to: "/t/$tenant/skills/$skill", params: { tenant, skill: id } });
  const buildActions = (skill: Skill) => [
    { label: "Edit", onClick: () => edit(skill) },
    { label: "Delete", onClick: () => setDeleted(skill), isDangerous: true },
  ];
  const create = mayWrite && <Button onClick={() => setIsCreating(true)}>Create skill</Button>;
  return (
    <Page
      title="Skills"
      description="Instructions, tools and resources that steps of any agent can use."
      actions={!isEmptyList(list) && create}
    >
      <ResourceTable
        label="Skills"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant)}
        actions={
          mayWrite
            ? (skill) => <RowMenu name={skill.displayName} actions={buildActions(skill)} />
            : undefined
        }
        empty={
          <EmptyState title="No skills yet" docs="skills" action={create}>
            Create a skill from a SKILL.md, then select it in a Prompt step of a flow.
          </EmptyState>
        }
      />
      {isCreating && <CreateSkillDialog onCreated={edit} onClose={() => setIsCreating(false)} />}
      {deleted && <DeleteSkillDialog skill={deleted} onClose={() => setDeleted(undefined)} />}
    </Page>
  );
};
