/** The theme of this browser: light, dark, or that of the system. */
import { chooseTheme, type ThemeChoice, useThemeChoice } from "@/lib/theme";
import { Panel } from "@/ui/page";
import classes from "./appearance-section.module.css";

const choices: readonly { value: ThemeChoice; label: string; meaning: string }[] = [
  { value: "system", label: "System", meaning: "As your device is set, also when that changes." },
  { value: "light", label: "Light", meaning: "Always light in this browser." },
  { value: "dark", label: "Dark", meaning: "Always dark in this browser." },
];

export function AppearanceSection() {
  const chosen = useThemeChoice();
  return (
    <Panel title="Appearance">
      <fieldset className={classes["themes"]}>
        <legend>Theme</legend>
        {choices.map(({ value, label, meaning }) => (
          <div key={value} className={classes["theme"]}>
            <input
              type="radio"
              id={`theme-${value}`}
              name="theme"
              checked={value === chosen}
              aria-describedby={`theme-${value}-meaning`}
              onChange={() => chooseTheme(value)}
            />
            <div>
              <label htmlFor={`theme-${value}`}>{label}</label>
              <p id={`theme-${value}-meaning`}>{meaning}</p>
            </div>
          </div>
        ))}
      </fieldset>
    </Panel>
  );
}
