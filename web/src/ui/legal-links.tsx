import { Link } from "react-router";
import classes from "./legal-links.module.css";

export function LegalLinks() {
  return (
    <footer className={classes["foot"]}>
      <span>© {new Date().getFullYear()} Livery</span>
      <Link to="/terms">Terms</Link>
      <Link to="/privacy">Privacy</Link>
    </footer>
  );
}
