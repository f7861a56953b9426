/** What the project is called and for; admins and the owner change it. */
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { may, refusals } from "@/lib/project";
import { Panel } from "@/ui/page";
import rows from "@/ui/rows.module.css";
import { GeneralForm } from "./general-form";

export function GeneralSection({ project }: { project: Project }) {
  const [isEditing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const isManager = may(project, "manage");
  const button = (
    <Button ref={edit} size="xs" onClick={() => setEditing(true)}>
      Edit
    </Button>
  );
  return (
    <Panel title="General information" aside={isManager && !isEditing ? button : undefined}>
      {isEditing && isManager ? (
        <GeneralForm project={project} onDone={() => setEditing(false)} />
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
      <dl>
        <div className={rows["row"]}>
          <div className={rows["text"]}>
            <dt className={rows["label"]}>Project name</dt>
            <dd>{project.name}</dd>
          </div>
        </div>
        <div className={rows["row"]}>
          <div className={rows["text"]}>
            <dt className={rows["label"]}>Description</dt>
            <dd className={rows["prose"]}>
              {project.description === "" ? <span className={rows["note"]}>None yet.</span> : project.description}
            </dd>
          </div>
        </div>
        <div className={rows["row"]}>
          <div className={rows["text"]}>
            <dt className={rows["label"]}>Default language</dt>
            <dd>{nameOf(project.defaultLanguage).name}</dd>
          </div>
        </div>
      </dl>
      {!isManager && <p className={`${rows["row"]} ${rows["note"]}`}>{refusals.manage}</p>}
    </>
  );
}
