import { useState } from "react";
import type { Project } from "@/lib/api-types";
import { readStored, writeStored } from "@/lib/storage";

/** The language of the second column, remembered per project; by default the first other one, undefined where there is none. */
export function useTargetLanguage(project: Project): [string | undefined, (code: string) => void] {
  const storageKey = `translationLanguage:${project.projectId}`;
  const [chosen, setChosen] = useState(() => readStored(storageKey));
  const others = project.languages.filter((code) => code !== project.defaultLanguage);
  const choose = (code: string) => {
    writeStored(storageKey, code);
    setChosen(code);
  };
  return [chosen !== null && others.includes(chosen) ? chosen : others[0], choose];
}
