import { Brand } from "./brand";
import { HelpLink } from "./header";
import { Text } from "./text";

export function Footer() {
  return (
    <footer className="footer">
      <div>
        <p className="brand">
          <Brand />
        </p>
        <p>
          <Text id="general.footer_tagline" />
        </p>
      </div>
      <p className="footer-links">
        <HelpLink />
      </p>
      <p className="footer-rights">
        <Text id="general.footer_rights" values={{ year: new Date().getFullYear().toString() }} />
      </p>
    </footer>
  );
}
