import { useEffect, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { Project } from "@/lib/api-types";
import { readStored, writeStored } from "@/lib/storage";

/**
 * The language of the second column, remembered per project; by default the first other language, undefined if no other exists.
 * An address may name a language (`?lang=`). It is stored and taken out of the address, where it would outlive the next choice.
 */
export function useTargetLanguage(project: Project): [string | undefined, (code: string) => void] {
  const storageKey = `translationLanguage:${project.projectId}`;
  const [chosen, setChosen] = useState(() => readStored(storageKey));
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const others = project.languages.filter((code) => code !== project.defaultLanguage);
  const choose = (code: string) => {
    writeStored(storageKey, code);
    setChosen(code);
  };
  const named = params.get("lang");
  const isNamed = named !== null && others.includes(named);
  useEffect(() => {
    if (named === null) return;
    if (isNamed) {
      writeStored(storageKey, named);
      setChosen(named);
    }
    setParams(
      (present) => {
        const next = new URLSearchParams(present);
        next.delete("lang");
        return next;
      },
      { replace: true, preventScrollReset: true, state },
    );
  }, [named, isNamed, storageKey, setParams, state]);
  const target = isNamed ? named : chosen;
  return [target !== null && others.includes(target) ? target : others[0], choose];
}
