/** Every style sheet of the page, in the order in which they apply. */
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./layers.css";
import "./mantine.css";
import "./tokens.css";
import "./base.css";
import "./parts.css";
import "./mantine-theme.css";
