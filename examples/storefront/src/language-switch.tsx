import { useLanguage, useText } from "@livery/react";
import { languageName } from "./format";

/** A native select: it works with every keyboard, every screen reader and on every phone. */
export function LanguageSwitch({ onLanguage }: { onLanguage: (language: string) => void }) {
  const { language, requestedLanguage, languages } = useLanguage();
  const label = useText("general.language_label");
  // If the project has dropped the language, the switch shows the language that the reader gets in its place.
  const selected = languages.includes(requestedLanguage) ? requestedLanguage : language;
  return (
    <label className="language">
      <span className="visually-hidden">{label}</span>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="7.25" />
        <path d="M2.75 10h14.5M10 2.75c5 4.8 5 9.7 0 14.5M10 2.75c-5 4.8-5 9.7 0 14.5" />
      </svg>
      <select value={selected} onChange={(event) => onLanguage(event.target.value)}>
        {languages.map((code) => (
          <option key={code} value={code} lang={code}>
            {languageName(code)}
          </option>
        ))}
      </select>
      <svg className="chevron" viewBox="0 0 12 12" aria-hidden="true">
        <path d="m2.5 4.5 3.5 3.5 3.5-3.5" />
      </svg>
    </label>
  );
}
