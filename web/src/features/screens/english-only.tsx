/** A screen in English alone, for as long as the languages of its project can't be loaded. Nothing while its texts are not here either. */
import { useQuery } from "@tanstack/react-query";
import { Notice } from "@/ui/notice";
import { screenQuery } from "./queries";
import { type EditedProject, ScreenEditor } from "./screen-editor";

export function EnglishOnly({ projectId, screen }: { projectId: string; screen: string }) {
  const { data } = useQuery(screenQuery(projectId, screen, ["en"]));
  if (data === undefined) return null;
  return (
    <>
      <Notice tone="warn">The languages of this project could not be loaded: its English texts alone are shown.</Notice>
      <ScreenEditor
        project={unknownProject(projectId)}
        screen={screen}
        records={data.keys}
        progress={data.progress}
        target={undefined}
        isSwitching={false}
        onTarget={() => {}}
        addLanguage={null}
        history={null}
        ai={null}
      />
    </>
  );
}

/** What is left when the project can't be read. The server decides with each edit whether the person may edit. */
function unknownProject(projectId: string): EditedProject {
  return { projectId, languages: ["en"], defaultLanguage: "en", permissions: ["read", "edit"] };
}
