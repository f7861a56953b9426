import { createRoot } from "react-dom/client";
import "./i18n";
import { Shop } from "./shop";

const root = document.getElementById("root");
if (root) createRoot(root).render(<Shop />);
