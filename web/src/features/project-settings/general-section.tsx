/** What the project is called and for; admins and the owner change it. */
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { may, refusals } from "@/lib/project";
import { useFocusAfter } from "@/ui/focus";
import { later } from "@/ui/later";
import { Panel } from "@/ui/page";
import { PanelRow, RowFact } from "@/ui/panel-row";
import { Text } from "@/ui/parts";
import rows from "@/ui/rows.module.css";
import { LoadingRows } from "@/ui/states";

const form = later(
  async () => (await import("./general-form")).GeneralForm,
  <LoadingRows rows={4} height={60} label="Loading the form" />,
);

export function GeneralSection({ project }: { project: Project }) {
  form.useFetched();
  const [isEditing, setEditing] = useState(false);
  const edit = useFocusAfter(isEditing);
  const isManager = may(project, "manage");
  const button = (
    <Button ref={edit} size="xs" onClick={() => setEditing(true)}>
      Edit
    </Button>
  );
  return (
    <Panel title="General information" aside={isManager && !isEditing ? button : undefined}>
      {isEditing && isManager ? (
        <form.Part project={project} onDone={() => setEditing(false)} />
      ) : (
        <Reading project={project} isManager={isManager} />
      )}
    </Panel>
  );
}

function Reading({ project, isManager }: { project: Project; isManager: boolean }) {
  const nameOf = useLanguageNames();
  return (
    <>
      <Detail name="Project name">{project.name}</Detail>
      <Detail name="Description">
        {project.description === "" ? (
          <Text as="span" size="s" tone="ink-2" className={rows["note"]}>
            None yet.
          </Text>
        ) : (
          project.description
        )}
      </Detail>
      <Detail name="Default language">{nameOf(project.defaultLanguage).name}</Detail>
      {!isManager && (
        <Text px={16} py={12} lineAbove size="s" tone="ink-2">
          {refusals.manage}
        </Text>
      )}
    </>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <PanelRow>
      <RowFact name={name}>{children}</RowFact>
    </PanelRow>
  );
}
