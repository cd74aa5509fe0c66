import { Button, Group, Stack, Text } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { Skill } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { JsonView } from "../shared/json-view.tsx";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { DeleteSkillDialog } from "./delete-skill-dialog.tsx";
import { SkillFields } from "./skill-fields.tsx";
import { skillPointers, toSkillBody, toSkillForm } from "./skill-form.ts";
import { useSkill, useUpdateSkill } from "./use-skills.ts";

const route = getRouteApi("/t/$tenant/skills/$skill");

/** Shows and changes a skill. */
export const SkillPage = () => {
  const { tenant, skill: id } = route.useParams();
  const navigate = useNavigate();
  const mayWrite = useMay()("skills:write");
  const { data: skill, error } = useSkill(id);
  const [isDeleting, setIsDeleting] = useState(false);
  if (error && !skill) return <ReadProblem error={error} />;
  if (!skill) return <PageLoader />;
  const menu = mayWrite && (
    <RowMenu
      name={skill.displayName}
      actions={[{ label: "Delete", onClick: () => setIsDeleting(true), isDangerous: true }]}
    />
  );
  return (
    <Page
      title={skill.displayName}
      back={`/t/${tenant}/skills`}
      description={`${skill.id}${skill.type === 1 ? ", imported from markdown" : ""}`}
      actions={menu}
    >
      {mayWrite ? <SkillEditor key={skill.id} skill={skill} /> : <SkillView skill={skill} />}
      {isDeleting && (
        <DeleteSkillDialog
          skill={skill}
          onDeleted={() => void navigate({ to: "/t/$tenant/skills", params: { tenant } })}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </Page>
  );
};

const SkillEditor = ({ skill }: { skill: Skill }) => {
  const stored = toSkillForm(skill);
  const [form, setForm] = useState(stored);
  const { mutate, error, isPending } = useUpdateSkill(skill.id);
  const isChanged = JSON.stringify(toSkillBody(form)) !== JSON.stringify(toSkillBody(stored));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate(toSkillBody(form));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={900}>
        <SkillFields form={form} onChange={setForm} error={error} isNew={false} />
        <ProblemAlert error={error} shownAt={skillPointers} />
        <Group>
          <Button type="submit" loading={isPending} disabled={!isChanged}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

const SkillView = ({ skill }: { skill: Skill }) => (
  <Stack maw={900}>
    <Text>{skill.description}</Text>
    <JsonView label="Instructions" value={skill.instructions ?? ""} maxHeight={560} />
    {skill.tools !== null && <JsonView label="Tools" value={skill.tools} />}
    {skill.resources !== null && <JsonView label="Resources" value={skill.resources} />}
  </Stack>
);
