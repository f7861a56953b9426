// First: a library adds its style element when it is loaded.
import "./ui/style-nonce";
import "./ui/styles";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root.");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
