/** The theme of this browser: light, dark, or that of the system. */
import { chooseTheme, type ThemeChoice, useThemeChoice } from "@/lib/theme";
import { Panel } from "@/ui/page";
import { type RadioChoice, RadioChoices } from "@/ui/radio-choices";

const choices: readonly RadioChoice<ThemeChoice>[] = [
  { value: "system", label: "System", meaning: "As your device is set, also when that changes." },
  { value: "light", label: "Light", meaning: "Always light in this browser." },
  { value: "dark", label: "Dark", meaning: "Always dark in this browser." },
];

export function AppearanceSection() {
  const chosen = useThemeChoice();
  return (
    <Panel title="Appearance">
      <RadioChoices legend="Theme" choices={choices} value={chosen} isInRow onChange={chooseTheme} />
    </Panel>
  );
}
