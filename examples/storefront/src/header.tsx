import { useText } from "@livery/react";
import { Brand } from "./brand";
import { LanguageSwitch } from "./language-switch";
import { webAddress } from "./rich-text";
import { Text } from "./text";

interface HeaderProps {
  isOverSky: boolean;
  savedCount: number;
  onLanguage: (language: string) => void;
}

export function Header({ isOverSky, savedCount, onLanguage }: HeaderProps) {
  return (
    <header className={isOverSky ? "header header-over-sky" : "header"}>
      <a className="brand" href="#/">
        <Brand />
      </a>
      <nav className="nav">
        <a href="#trips">
          <Text id="general.nav_trips" />
        </a>
        <a href="#saved">
          <Text id="general.nav_saved" />
          {savedCount > 0 && <span className="count">{savedCount}</span>}
        </a>
        <HelpLink />
      </nav>
      <LanguageSwitch onLanguage={onLanguage} />
    </header>
  );
}

export function HelpLink() {
  const address = useText("general.help_url");
  return (
    <a href={webAddress(address)} target="_blank" rel="noreferrer">
      <Text id="general.nav_help" />
    </a>
  );
}
